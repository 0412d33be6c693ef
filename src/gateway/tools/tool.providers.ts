import { ApprovedDefinition } from './approved-definition.entity';
import { BundleTool } from './bundle-tool.entity';
import { BundleTools } from './bundle-tools.service';
import { FixedArgumentsCheck } from './fixed-arguments-check';
import { ToolApproval } from './tool-approval.entity';
import { ToolEdits } from './tool-edits.service';
import { ToolHistory } from './tool-history';
import { ToolInventory } from './tool-inventory';
import { ToolNewsJob } from './tool-news-job';
import { ToolOverrideRow } from './tool-override.entity';
import { ToolRulesReader } from './tool-rules-reader';
import { ToolTrials } from './tool-trials.service';

/** What rules about tools are made of. */
export const TOOL_PROVIDERS = [
  BundleTools,
  FixedArgumentsCheck,
  ToolEdits,
  ToolHistory,
  ToolInventory,
  ToolNewsJob,
  ToolRulesReader,
  ToolTrials,
];

export const TOOL_ENTITIES = [BundleTool, ToolApproval, ApprovedDefinition, ToolOverrideRow] as const;
