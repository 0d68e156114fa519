import torch
import torch.utils.data as tud


def collate(rows):
    return torch.stack(rows).to('cuda:0')


loader = tud.DataLoader(data, num_workers=2, collate_fn=collate)
for step, batch in enumerate(loader):
    model(batch)
