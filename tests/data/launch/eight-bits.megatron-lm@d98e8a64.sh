#!/bin/bash
# Launch configuration for Megatron-LM@d98e8a64 of 2026-08-21, written by Fleetwright.
# Run it on every node from a checkout of Megatron-LM; what stands behind its name is passed on (data, tokenizer, learning rate, checkpoints).
# Plan: Llama 3.1 70B in fp8
# Workload: Llama 3.1 70B
# Of the plan this file does not hold:
# - The machines have no flag: 16 nodes “NVIDIA DGX H100” on “InfiniBand NDR”, their site, their prices and where each rank is placed are the scheduler's.
# - The cost model detailed and its constants have no flag.
# - What the plan assumes for its price has no flag: assumptions.software_stack.
# - How much of the gradients overlaps follows the framework's bucket sizes; the plan's share has no flag.
# - The token budget of 15000000000000 is rounded up to 14305115 whole steps (15000000266240 tokens).
# - --swiglu stands for a gated FFN; the catalog does not say which activation it has.
# - Rotary base and scaling, norm epsilon, initialisation and activation details of the model are not in the catalog.
# - The plan says fp8 and no scaling recipe: delayed scaling stands here; tensorwise, blockwise and, on Blackwell, mxfp8 are others.
# - Overlap of TP needs Transformer Engine with user buffers.

export CUDA_DEVICE_MAX_CONNECTIONS=1

MODEL=(
    --num-layers 80
    --hidden-size 8192
    --ffn-hidden-size 28672
    --num-attention-heads 64
    --group-query-attention
    --num-query-groups 8
    --kv-channels 128
    --swiglu
    --untie-embeddings-and-output-weights
    --normalization RMSNorm
    --position-embedding-type rope
    --disable-bias-linear
    --vocab-size 128256
    --make-vocab-size-divisible-by 128
    --max-position-embeddings 131072
)
LAYOUT=(
    --tensor-model-parallel-size 4
    --sequence-parallel
    --pipeline-model-parallel-size 2
    --context-parallel-size 1
    --overlap-grad-reduce
    --recompute-granularity selective
    --recompute-modules core_attn
)
TRAINING=(
    --seq-length 8192
    --micro-batch-size 1
    --global-batch-size 128
    --train-iters 14305115
    --bf16
    --fp8-format hybrid
    --fp8-recipe delayed
    --accumulate-allreduce-grads-in-fp32
    --tp-comm-overlap
    --attention-dropout 0
    --hidden-dropout 0
    --cuda-graph-impl local
)

exec torchrun --nnodes 16 --nproc-per-node 8 \
    --node-rank "${NODE_RANK:?set it on every node, from 0}" \
    --master-addr "${MASTER_ADDR:?the first node}" --master-port "${MASTER_PORT:-29500}" \
    pretrain_gpt.py "${MODEL[@]}" "${LAYOUT[@]}" "${TRAINING[@]}" "$@"
