import type { Group } from '@knowhow/shared/access/groups';
import type { PromptConfig } from '@knowhow/shared/chat/prompts';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { ContentIssue } from '@knowhow/shared/config/health';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import type { ModelConfig } from '@knowhow/shared/config/models';
import type { PlatformConfig } from '@knowhow/shared/config/platform';
import type { ToolsConfig } from '@knowhow/shared/config/tools-config';
import type { SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { AllowedVariables } from './allowed-variables.ts';

/** Everything under `contents/` except the skills: one immutable state, with items in display order. */
export interface Contents {
  readonly platform: PlatformConfig;
  readonly groups: ReadonlyMap<string, Group>;
  readonly skills: SkillsConfig;
  /** Git repositories from which skills come. */
  readonly skillSources: readonly SkillSourceConfig[];
  readonly tools: ToolsConfig;
  /** In file order, including disabled ones. */
  readonly mcpServers: readonly McpServer[];
  readonly apps: ReadonlyMap<string, AppConfig>;
  readonly models: ReadonlyMap<string, ModelConfig>;
  readonly prompts: ReadonlyMap<string, PromptConfig>;
  /** Files that could not be used; their last good state, if any, is active. */
  readonly faults: readonly ContentIssue[];
  /** Placeholders that must not be filled; their files are used nevertheless. */
  readonly unfilled: readonly ContentIssue[];
  /** Variables that placeholders in these files may read. */
  readonly variables: AllowedVariables;
}
