// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

/// Files of many plausible runs of a few clusters, whose texts repeat as those of people's own files do.
namespace manyruns {

inline std::string csv(std::size_t count)
{
    std::string text = "id,source.key,accelerator,n_gpus,gpus_per_node,network.scale_out,framework,model.name,"
                       "model.layers,model.hidden,model.heads,model.vocab,seq_len,global_batch,micro_batch,tp,pp,"
                       "recompute,precision,measured.iteration_time_s,notes\n";
    for (std::size_t i = 0; i < count; ++i)
        text += "run-" + std::to_string(i) + ",site-" + std::to_string(i % 37)
            + ",A100-SXM-80GB,64,8,8x 200 Gb/s HDR InfiniBand,Megatron-Core,13B,40,5120,40,51200,2048,512,"
            + std::to_string(1 + i % 2) + "," + std::to_string(1 << (i % 4)) + ",1,none,bf16,"
            + std::to_string(10 + double(i % 1000) / 100) + ",cluster " + std::to_string(i % 11) + " at night\n";
    return text;
}

inline std::string json(std::size_t count)
{
    std::string text = "{\"runs\": [";
    for (std::size_t i = 0; i < count; ++i)
        text += std::string(i > 0 ? ",\n" : "") + "{\"id\": \"run-" + std::to_string(i)
            + "\", \"source\": {\"key\": \"site-" + std::to_string(i % 37)
            + "\"}, \"accelerator\": \"A100-SXM-80GB\", \"n_gpus\": 64, \"framework\": \"Megatron-Core\", "
              "\"model\": {\"name\": \"13B\", \"layers\": 40, \"hidden\": 5120}, \"tp\": 8, "
              "\"measured\": {\"iteration_time_s\": "
            + std::to_string(10 + double(i % 1000) / 100) + "}}";
    return text + "], \"schema\": {\"version\": \"1\", \"sources\": {\"site-3\": {\"title\": \"The third site\"}}}}";
}

} // namespace manyruns
