import { accountApi } from './account.ts';
import { adminApi } from './admin.ts';
import { adminAppsApi, adminGroupsApi, adminModelsApi, adminPromptsApi } from './admin-config.ts';
import { adminSettingsApi } from './admin-settings.ts';
import { adminSignInApi } from './admin-sign-in.ts';
import { adminSkillFilesApi } from './admin-skill-files.ts';
import { adminSkillsApi } from './admin-skills.ts';
import { adminToolsApi } from './admin-tools.ts';
import { adminUsersApi } from './admin-users.ts';
import { analyticsApi } from './analytics.ts';
import { apiKeysApi } from './api-keys.ts';
import { appVariablesApi } from './app-variables.ts';
import { appsApi } from './apps.ts';
import { authApi } from './auth.ts';
import { backupApi } from './backup.ts';
import { chatApi } from './chat.ts';
import { connectionsApi } from './connections.ts';
import { conversationExportApi } from './conversation-export.ts';
import { conversationImportApi } from './conversation-import.ts';
import { conversationsApi } from './conversations.ts';
import { embedApi } from './embed.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { favouritesApi } from './favourites.ts';
import { filesApi } from './files.ts';
import { foldersApi } from './folders.ts';
import { healthApi } from './health.ts';
import { invitationsApi } from './invitations.ts';
import { linesApi } from './lines.ts';
import { mcpApi } from './mcp.ts';
import { modelsApi } from './models.ts';
import { oidcApi } from './oidc.ts';
import { openaiApi } from './openai.ts';
import { openaiResponsesApi } from './openai-responses.ts';
import { pluginsApi } from './plugins.ts';
import { preferencesApi } from './preferences.ts';
import { promptsApi } from './prompts.ts';
import { providerKeysApi } from './provider-keys.ts';
import { resourcesApi } from './resources.ts';
import { runnerApi } from './runner.ts';
import { secondFactorApi } from './second-factor.ts';
import { serviceKeysApi } from './service-keys.ts';
import { sharingApi } from './sharing.ts';
import { skillArchivesApi } from './skill-archives.ts';
import { skillBulkApi } from './skill-bulk.ts';
import { skillHistoryApi } from './skill-history.ts';
import { skillToolSettingsApi } from './skill-tool-settings.ts';
import { skillsApi } from './skills.ts';
import { toolsApi } from './tools.ts';
import { tracesApi } from './traces.ts';
import { triggerTestsApi } from './trigger-tests.ts';
import { usageApi } from './usage.ts';
import { sharedPromptsApi, userPromptsApi } from './user-prompts.ts';

/** Every contract, by area: what OpenAPI is generated from and the access test walks. */
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
  chat: chatApi,
  embed: embedApi,
  conversations: conversationsApi,
  folders: foldersApi,
  lines: linesApi,
  sharing: sharingApi,
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
  skillBulk: skillBulkApi,
  skillToolSettings: skillToolSettingsApi,
  skillHistory: skillHistoryApi,
  triggerTests: triggerTestsApi,
  adminApps: adminAppsApi,
  adminGroups: adminGroupsApi,
  adminModels: adminModelsApi,
  adminPrompts: adminPromptsApi,
  adminUsers: adminUsersApi,
  invitations: invitationsApi,
  providerKeys: providerKeysApi,
  serviceKeys: serviceKeysApi,
  usage: usageApi,
  adminSettings: adminSettingsApi,
  adminSignIn: adminSignInApi,
  adminTools: adminToolsApi,
  plugins: pluginsApi,
  backup: backupApi,
  analytics: analyticsApi,
  mcp: mcpApi,
  openai: openaiApi,
  openaiResponses: openaiResponsesApi,
  runner: runnerApi,
} satisfies Record<string, Record<string, AnyEndpoint>>;
