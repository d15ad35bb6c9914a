#!/bin/bash
# Launch configuration for Megatron-LM@d98e8a64 of 2026-08-21, written by Fleetwright.
# Run it on every node from a checkout of Megatron-LM; what stands behind its name is passed on (data, tokenizer, learning rate, checkpoints).
# Plan: Qwen3 235B with EP 8 in a pipeline of 8
# Workload: Qwen3 235B-A22B
# Of the plan this file does not hold:
# - The machines have no flag: 32 nodes “NVIDIA DGX H100” on “InfiniBand NDR”, their site, their prices and where each rank is placed are the scheduler's.
# - The cost model detailed and its constants have no flag.
# - What the plan assumes for its price has no flag: assumptions.software_stack.
# - How much of the gradients overlaps follows the framework's bucket sizes; the plan's share has no flag.
# - The token budget of 1000000000000 is rounded up to 238419 whole steps (1000001765376 tokens).
# - --swiglu stands for a gated FFN; the catalog does not say which activation it has.
# - How the router scores and balances its experts is not in the catalog; Megatron-LM's defaults stand.
# - Rotary base and scaling, norm epsilon, initialisation and activation details of the model are not in the catalog.
# - Overlap of TP needs Transformer Engine with user buffers.

export CUDA_DEVICE_MAX_CONNECTIONS=1

MODEL=(
    --num-layers 94
    --hidden-size 4096
    --ffn-hidden-size 12288
    --num-attention-heads 64
    --group-query-attention
    --num-query-groups 4
    --kv-channels 128
    --num-experts 128
    --moe-router-topk 8
    --moe-ffn-hidden-size 1536
    --swiglu
    --untie-embeddings-and-output-weights
    --normalization RMSNorm
    --position-embedding-type rope
    --disable-bias-linear
    --vocab-size 151936
    --make-vocab-size-divisible-by 128
    --max-position-embeddings 40960
)
LAYOUT=(
    --tensor-model-parallel-size 4
    --sequence-parallel
    --pipeline-model-parallel-size 8
    --num-virtual-stages-per-pipeline-rank 3
    --account-for-embedding-in-pipeline-split
    --account-for-loss-in-pipeline-split
    --context-parallel-size 1
    --expert-model-parallel-size 8
    --expert-tensor-parallel-size 1
    --moe-token-dispatcher-type alltoall
    --moe-grouped-gemm
    --overlap-moe-expert-parallel-comm
    --use-distributed-optimizer
    --overlap-grad-reduce
    --overlap-param-gather
)
TRAINING=(
    --seq-length 4096
    --micro-batch-size 1
    --global-batch-size 1024
    --train-iters 238419
    --bf16
    --tp-comm-overlap
    --attention-dropout 0
    --hidden-dropout 0
)

exec torchrun --nnodes 32 --nproc-per-node 8 \
    --node-rank "${NODE_RANK:?set it on every node, from 0}" \
    --master-addr "${MASTER_ADDR:?the first node}" --master-port "${MASTER_PORT:-29500}" \
    pretrain_gpt.py "${MODEL[@]}" "${LAYOUT[@]}" "${TRAINING[@]}" "$@"
