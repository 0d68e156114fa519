from transformers import AutoModel, TrainingArguments

model = AutoModel.from_pretrained('tiny')
model.gradient_checkpointing_enable()
args = TrainingArguments('out', gradient_checkpointing=True)
