import { accountApi } from './access/account.ts';
import { adminSignInApi } from './access/admin-sign-in.ts';
import { adminUsersApi } from './access/admin-users.ts';
import { apiKeysApi } from './access/api-keys.ts';
import { authApi } from './access/auth.ts';
import { embedApi } from './access/embed.ts';
import { invitationsApi } from './access/invitations.ts';
import { adminMailApi, mailApi } from './access/mail.ts';
import { oidcApi } from './access/oidc.ts';
import { preferencesApi } from './access/preferences.ts';
import { providerKeysApi } from './access/provider-keys.ts';
import { secondFactorApi } from './access/second-factor.ts';
import { serviceKeysApi } from './access/service-keys.ts';
import { skillSharingApi } from './access/skill-sharing.ts';
import { usageApi } from './access/usage.ts';
import { chatApi } from './chat/chat.ts';
import { conversationExportApi } from './chat/conversation-export.ts';
import { conversationImportApi } from './chat/conversation-import.ts';
import { conversationsApi } from './chat/conversations.ts';
import { filesApi } from './chat/files.ts';
import { foldersApi } from './chat/folders.ts';
import { openaiApi } from './chat/openai.ts';
import { openaiResponsesApi } from './chat/openai-responses.ts';
import { promptsApi } from './chat/prompts.ts';
import { resourcesApi } from './chat/resources.ts';
import { sharingApi } from './chat/sharing.ts';
import { tracesApi } from './chat/traces.ts';
import { sharedPromptsApi, userPromptsApi } from './chat/user-prompts.ts';
import { adminApi } from './config/admin.ts';
import {
  adminAppsApi,
  adminGroupsApi,
  adminModelsApi,
  adminPromptsApi,
} from './config/admin-config.ts';
import { adminSettingsApi } from './config/admin-settings.ts';
import { adminToolsApi } from './config/admin-tools.ts';
import { analyticsApi } from './config/analytics.ts';
import { appVariablesApi } from './config/app-variables.ts';
import { appsApi } from './config/apps.ts';
import { backupApi } from './config/backup.ts';
import { connectionsApi } from './config/connections.ts';
import { healthApi } from './config/health.ts';
import { mcpApi } from './config/mcp.ts';
import { modelsApi } from './config/models.ts';
import { runnerApi } from './config/runner.ts';
import { toolsApi } from './config/tools.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { linesApi } from './lines.ts';
import { adminSkillFilesApi } from './skills/admin-skill-files.ts';
import { adminSkillsApi } from './skills/admin-skills.ts';
import { conversationSkillApi } from './skills/conversation-skill.ts';
import { draftTestsApi } from './skills/draft-tests.ts';
import { favouritesApi } from './skills/favourites.ts';
import { gitSkillsApi } from './skills/git-skills.ts';
import { inboxApi } from './skills/inbox.ts';
import { libraryApi } from './skills/library.ts';
import { mySkillsApi } from './skills/personal-skills.ts';
import { pluginsApi } from './skills/plugins.ts';
import { skillAddressApi } from './skills/skill-address.ts';
import { skillArchivesApi } from './skills/skill-archives.ts';
import { skillAttentionApi } from './skills/skill-attention.ts';
import { skillBinApi } from './skills/skill-bin.ts';
import { skillBlocksApi } from './skills/skill-blocks.ts';
import { skillBulkApi } from './skills/skill-bulk.ts';
import { skillDraftsApi } from './skills/skill-drafts.ts';
import { skillFolderEditsApi } from './skills/skill-folder-edits.ts';
import { skillOwnersApi } from './skills/skill-owners.ts';
import { skillReviewsApi } from './skills/skill-reviews.ts';
import { skillSourceHooksApi, skillSourcesApi } from './skills/skill-sources.ts';
import { skillToolSettingsApi } from './skills/skill-tool-settings.ts';
import { skillTranslationApi } from './skills/skill-translation.ts';
import { skillUpstreamsApi } from './skills/skill-upstreams.ts';
import { skillHistoryApi, skillVersionsApi } from './skills/skill-versions.ts';
import { skillsApi } from './skills/skills.ts';
import { triggerScheduleApi, triggerTestsApi } from './skills/trigger-tests.ts';
import { wellKnownSkillsApi } from './skills/well-known-skills.ts';

/**
 * All API contracts, by area. OpenAPI is generated from them, and the access test iterates over
 * them.
 */
export const api = {
  health: healthApi,
  auth: authApi,
  oidc: oidcApi,
  account: accountApi,
  secondFactor: secondFactorApi,
  apiKeys: apiKeysApi,
  connections: connectionsApi,
  apps: appsApi,
  appVariables: appVariablesApi,
  models: modelsApi,
  preferences: preferencesApi,
  prompts: promptsApi,
  userPrompts: userPromptsApi,
  sharedPrompts: sharedPromptsApi,
  favourites: favouritesApi,
  skills: skillsApi,
  library: libraryApi,
  mySkills: mySkillsApi,
  inbox: inboxApi,
  mail: mailApi,
  chat: chatApi,
  embed: embedApi,
  conversations: conversationsApi,
  folders: foldersApi,
  lines: linesApi,
  sharing: sharingApi,
  conversationSkill: conversationSkillApi,
  skillTranslation: skillTranslationApi,
  conversationExport: conversationExportApi,
  conversationImport: conversationImportApi,
  tools: toolsApi,
  files: filesApi,
  resources: resourcesApi,
  traces: tracesApi,
  admin: adminApi,
  adminSkills: adminSkillsApi,
  adminSkillFiles: adminSkillFilesApi,
  skillArchives: skillArchivesApi,
  skillAddress: skillAddressApi,
  skillSources: skillSourcesApi,
  skillUpstreams: skillUpstreamsApi,
  skillSourceHooks: skillSourceHooksApi,
  skillBulk: skillBulkApi,
  skillToolSettings: skillToolSettingsApi,
  skillBin: skillBinApi,
  skillBlocks: skillBlocksApi,
  skillFolderEdits: skillFolderEditsApi,
  skillOwners: skillOwnersApi,
  skillAttention: skillAttentionApi,
  skillHistory: skillHistoryApi,
  skillVersions: skillVersionsApi,
  skillDrafts: skillDraftsApi,
  draftTests: draftTestsApi,
  skillReviews: skillReviewsApi,
  triggerTests: triggerTestsApi,
  triggerSchedule: triggerScheduleApi,
  adminApps: adminAppsApi,
  adminGroups: adminGroupsApi,
  adminModels: adminModelsApi,
  adminPrompts: adminPromptsApi,
  adminUsers: adminUsersApi,
  skillSharing: skillSharingApi,
  invitations: invitationsApi,
  providerKeys: providerKeysApi,
  serviceKeys: serviceKeysApi,
  usage: usageApi,
  adminSettings: adminSettingsApi,
  adminMail: adminMailApi,
  adminSignIn: adminSignInApi,
  adminTools: adminToolsApi,
  plugins: pluginsApi,
  backup: backupApi,
  analytics: analyticsApi,
  mcp: mcpApi,
  wellKnownSkills: wellKnownSkillsApi,
  gitSkills: gitSkillsApi,
  openai: openaiApi,
  openaiResponses: openaiResponsesApi,
  runner: runnerApi,
} satisfies Record<string, Record<string, AnyEndpoint>>;
