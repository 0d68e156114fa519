from transformers import AutoModel, TrainingArguments

model = AutoModel.from_pretrained('tiny')
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={'use_reentrant': False})
args = TrainingArguments('out', gradient_checkpointing=True, gradient_checkpointing_kwargs={'use_reentrant': False})
