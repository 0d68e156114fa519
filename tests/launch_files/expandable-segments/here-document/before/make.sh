cat <<EOT > run.sh
torchrun train.py
EOT
torchrun train.py
