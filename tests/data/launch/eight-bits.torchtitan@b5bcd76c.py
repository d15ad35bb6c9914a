# Launch configuration for torchtitan@b5bcd76c of 2026-08-22, written by Fleetwright.
# Call it from a configuration of yours with the one of the model as base.
# Plan: Llama 3.1 70B in fp8
# Workload: Llama 3.1 70B
# Of the plan this file does not hold:
# - The machines have no flag: 16 nodes “NVIDIA DGX H100” on “InfiniBand NDR”, their site, their prices and where each rank is placed are the scheduler's.
# - The cost model detailed and its constants have no flag.
# - What the plan assumes for its price has no flag: assumptions.software_stack.
# - How much of the gradients overlaps follows the framework's bucket sizes; the plan's share has no flag.
# - The token budget of 15000000000000 is rounded up to 14305115 whole steps (15000000266240 tokens).
# - The model, its data, optimizer and learning rate are those of the configuration that you pass as base: that of Llama 3.1 70B.
# - training.precision fp8 is a converter of the model and no setting of these: Float8Linear, or MXFP8Linear on Blackwell.
# - Overlap is FSDP's own and that of the compiler; the plan's switches (dp_overlap, cuda_graphs...) have no setting here.

from collections.abc import Callable

from torchtitan.config import ParallelismConfig
from torchtitan.distributed.activation_checkpoint import SelectiveAC
from torchtitan.trainer import Trainer


def with_plan(base: Callable[[], Trainer.Config]) -> Trainer.Config:
    config = base()
    config.parallelism = ParallelismConfig(
        data_parallel_replicate_degree=16,
        data_parallel_shard_degree=1,
        tensor_parallel_degree=4,
        enable_sequence_parallel=True,
        pipeline_parallel_degree=2,
        pipeline_parallel_schedule="1F1B",
        pipeline_parallel_layers_per_stage=40,
        pipeline_parallel_first_stage_less_layers=0,
        pipeline_parallel_last_stage_less_layers=0,
        num_pp_microbatches=8,
        context_parallel_degree=1,
        expert_parallel_degree=1,
    )
    config.training.num_tokens_per_microbatch_per_dp_rank = 8192
    config.training.num_tokens_per_train_step = 1048576
    config.training.max_context_length = 8192
    config.training.steps = 14305115
    config.training.mixed_precision_param = "bfloat16"
    config.activation_checkpoint = SelectiveAC.Config()
    return config
