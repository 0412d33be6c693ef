import { ApprovedDefinition } from '../rules/approved-definition.entity';
import { BundleTool } from '../rules/bundle-tool.entity';
import { BundleTools } from './bundle-tools.service';
import { FixedArgumentsCheck } from './fixed-arguments-check';
import { ToolApproval } from '../rules/tool-approval.entity';
import { ToolEdits } from './tool-edits.service';
import { ToolHistory } from './tool-history';
import { ToolInventory } from './tool-inventory';
import { ToolNewsJob } from './tool-news-job';
import { ToolOverrideRow } from '../rules/tool-override.entity';
import { ToolRulesReader } from '../rules/tool-rules-reader';
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
