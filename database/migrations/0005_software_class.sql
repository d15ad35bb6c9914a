-- SPDX-License-Identifier: GPL-3.0-or-later
-- Version 5: a plan that the cost model detailed prices and that states no software stack was until now priced with the vendor's
-- tuned software (megatron_core, on TPUs xla); from now on such a plan is priced with a general framework. What the project holds
-- keeps its meaning: it says so itself, as the class rather than the stack, so that a sweep over GPU and TPU nodes keeps it, too.
UPDATE plan SET document = json_set(document, '$.assumptions.software_class', 'tuned')
WHERE CASE WHEN json_valid(document) THEN
    coalesce(json_extract(document, '$.cost_model'), 'detailed') = 'detailed'
    AND coalesce(json_extract(document, '$.assumptions.software_stack'), 'auto') = 'auto' END;
-- cut
UPDATE sweep SET document = json_set(document, '$.plan.assumptions.software_class', 'tuned')
WHERE CASE WHEN json_valid(document) THEN
    coalesce(json_extract(document, '$.plan.cost_model'), 'detailed') = 'detailed'
    AND coalesce(json_extract(document, '$.plan.assumptions.software_stack'), 'auto') = 'auto' END;
