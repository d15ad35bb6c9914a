#!/bin/bash
# Launch configuration for Megatron-LM@d98e8a64 of 2026-08-21, written by Fleetwright.
# Run it on every node from a checkout of Megatron-LM; what stands behind its name is passed on (data, tokenizer, learning rate, checkpoints).
# Plan: DeepSeek-V3 with EP 64
# Workload: DeepSeek-V3
# Of the plan this file does not hold:
# - The machines have no flag: 32 nodes “NVIDIA DGX H100” on “InfiniBand NDR”, their site, their prices and where each rank is placed are the scheduler's.
# - The cost model detailed and its constants have no flag.
# - How much of the gradients overlaps follows the framework's bucket sizes; the plan's share has no flag.
# - The token budget of 14800000000000 is rounded up to 882149 whole steps (14800004317184 tokens).
# - --swiglu stands for a gated FFN; the catalog does not say which activation it has.
# - How the router scores and balances its experts is not in the catalog; Megatron-LM's defaults stand.
# - Rotary base and scaling, norm epsilon, initialisation and activation details of the model are not in the catalog.

MODEL=(
    --num-layers 61
    --hidden-size 7168
    --ffn-hidden-size 18432
    --num-attention-heads 128
    --multi-latent-attention
    --q-lora-rank 1536
    --kv-lora-rank 512
    --qk-head-dim 128
    --qk-pos-emb-head-dim 64
    --v-head-dim 128
    --num-experts 256
    --moe-router-topk 8
    --moe-ffn-hidden-size 2048
    --moe-shared-expert-intermediate-size 2048
    --moe-layer-freq '([0]*3+[1]*58)'
    --swiglu
    --untie-embeddings-and-output-weights
    --normalization RMSNorm
    --position-embedding-type rope
    --disable-bias-linear
    --vocab-size 129280
    --make-vocab-size-divisible-by 128
    --max-position-embeddings 163840
)
LAYOUT=(
    --tensor-model-parallel-size 1
    --pipeline-model-parallel-size 1
    --context-parallel-size 1
    --expert-model-parallel-size 64
    --expert-tensor-parallel-size 1
    --moe-token-dispatcher-type alltoall
    --moe-grouped-gemm
    --use-distributed-optimizer
    --use-megatron-fsdp
    --data-parallel-sharding-strategy optim_grads_params
    --ckpt-format fsdp_dtensor
    --overlap-grad-reduce
    --overlap-param-gather
    --recompute-granularity full
    --recompute-method uniform
    --recompute-num-layers 1
)
TRAINING=(
    --seq-length 4096
    --micro-batch-size 1
    --global-batch-size 4096
    --train-iters 882149
    --bf16
    --attention-dropout 0
    --hidden-dropout 0
)

exec torchrun --nnodes 32 --nproc-per-node 8 \
    --node-rank "${NODE_RANK:?set it on every node, from 0}" \
    --master-addr "${MASTER_ADDR:?the first node}" --master-port "${MASTER_PORT:-29500}" \
    pretrain_gpt.py "${MODEL[@]}" "${LAYOUT[@]}" "${TRAINING[@]}" "$@"
