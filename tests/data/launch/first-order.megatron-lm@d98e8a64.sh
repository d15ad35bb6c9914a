#!/bin/bash
# Launch configuration for Megatron-LM@d98e8a64 of 2026-08-21, written by Fleetwright.
# Run it on every node from a checkout of Megatron-LM; what stands behind its name is passed on (data, tokenizer, learning rate, checkpoints).
# Plan: GPT-3 as first-order prices it: $(date) "quoted"
# Workload: GPT-3 175B
# Of the plan this file does not hold:
# - The machines have no flag: 16 nodes “NVIDIA DGX H100” on “InfiniBand NDR”, their site, their prices and where each rank is placed are the scheduler's.
# - The cost model first-order and its constants have no flag.
# - training.microbatch_count stands as its microbatch size, 1 (4 microbatches of each replica and step).
# - The token budget of 300000000000 is rounded up to 2288819 whole steps (300000083968 tokens).
# - Rotary base and scaling, norm epsilon, initialisation and activation details of the model are not in the catalog.
# - The plan's cost model does not know which communication overlaps; the framework's defaults stand.

export CUDA_DEVICE_MAX_CONNECTIONS=1

MODEL=(
    --num-layers 96
    --hidden-size 12288
    --ffn-hidden-size 49152
    --num-attention-heads 96
    --kv-channels 128
    --position-embedding-type learned_absolute
    --vocab-size 50257
    --make-vocab-size-divisible-by 128
    --max-position-embeddings 2048
)
LAYOUT=(
    --tensor-model-parallel-size 8
    --pipeline-model-parallel-size 1
    --context-parallel-size 1
)
TRAINING=(
    --seq-length 2048
    --micro-batch-size 1
    --global-batch-size 64
    --train-iters 2288819
    --fp16
)

exec torchrun --nnodes 16 --nproc-per-node 8 \
    --node-rank "${NODE_RANK:?set it on every node, from 0}" \
    --master-addr "${MASTER_ADDR:?the first node}" --master-port "${MASTER_PORT:-29500}" \
    pretrain_gpt.py "${MODEL[@]}" "${LAYOUT[@]}" "${TRAINING[@]}" "$@"
