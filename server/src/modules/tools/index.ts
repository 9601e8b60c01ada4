/** The public interface of `tools`: other modules import only this. */
export { skillsToTell } from './activate-skill-tool.ts';
export { describeForUser } from './ask-consent.ts';
export { builtinTools } from './builtin/builtin-tools.ts';
export { pageLimits } from './builtin/fetch-page-tool.ts';
export { MarkdownTable } from './builtin/markdown-table.ts';
export { plainMarkdown } from './builtin/plain-markdown.ts';
export { createPageReader, type PageReader } from './builtin/read-page.ts';
export { findCharset, parsePage } from './builtin/readable-text.ts';
export { createCallAudit, dedupeAudit } from './call-audit.ts';
export { callLimits } from './call-clock.ts';
export { callWithoutTurn } from './call-without-turn.ts';
export { chooseTools, createToolBudget, toModelTool } from './choose-tools.ts';
export { describeParameters } from './describe-parameters.ts';
export type { McpOffer } from './mcp/answer-mcp.ts';
export { childEnvironment } from './mcp/child-environment.ts';
export { loadMcpServer } from './mcp/load-mcp.ts';
export { createMcpHost, type McpHost } from './mcp/mcp-host.ts';
export { mcpLimits } from './mcp/mcp-limits.ts';
export type { OAuthServer } from './mcp/oauth/oauth-server.ts';
export type { SignInAnswer } from './mcp/oauth/oauth-sign-in.ts';
export { type OAuthConnections, openOAuth } from './mcp/oauth/open-oauth.ts';
export { canUseServer, getSignInServer, signInServersFor } from './mcp/oauth/sign-in-servers.ts';
export type { ServerPrompt } from './mcp/offers/read-prompts.ts';
export { resourceTool } from './mcp/offers/resource-tool.ts';
export type { ServerPrompts } from './mcp/offers/server-prompts.ts';
export type { ServerResources } from './mcp/offers/server-resources.ts';
export type { OwnTool, OwnTools } from './mcp/serve-tools.ts';
export type { McpAuth } from './mcp/server-session.ts';
export { throttledLog } from './mcp/throttled-log.ts';
export { createPinStore } from './mcp/tool-pins.ts';
export { knowhowSource, ownTool, skillToolsFor } from './offer-skill-tools.ts';
export { publicCallId } from './public-call-id.ts';
export { readAttachmentName, readAttachmentTool } from './read-attachment-tool.ts';
export { refuseSkill } from './refuse-skill.ts';
export { type CallServices, runTool, unknownTool } from './run-tool.ts';
export { findRunner } from './runner/find-runner.ts';
export type { Runner, ScriptKind } from './runner/runner.ts';
export {
  missingRunnerVariable,
  type RunnerSettings,
  readRunnerSettings,
  runnerVariables,
} from './runner/runner-settings.ts';
export { serveRunner } from './runner/serve-runner.ts';
export { createSkillCopies } from './runner/skill-copies.ts';
export { isScript } from './script-path.ts';
export { createScriptSource } from './script-source.ts';
export { searchTools } from './search-tools.ts';
export { readWebPage } from './skill-tools/read-web-page.ts';
export type { FlowServices } from './skill-tools/run-flow.ts';
export { createSkillToolSource } from './skill-tools/skill-tool-source.ts';
export { createSkillSync, type SkillSync } from './sync-skills.ts';
export {
  type RefusedSkill,
  type Sampling,
  type SkillCall,
  type SkillTool,
  type ToolCall,
  type ToolResult,
  toolError,
} from './tool.ts';
export { createToolConsents } from './tool-consents.ts';
export { createToolIndex, type ToolIndex } from './tool-index.ts';
export { getToolSpellings, plainToolNames, toolId } from './tool-names.ts';
export { createToolQuestions } from './tool-questions.ts';
export { coversTool, toolsOfApp } from './tool-rights.ts';
export type { OfferedTool, ToolSource } from './tool-source.ts';
export { createToolbox, type KnownTool, type Toolbox } from './toolbox.ts';
export {
  type TranslatableTool,
  translateRequest,
  translateTools,
  withEnglishNames,
} from './translate-tools.ts';
