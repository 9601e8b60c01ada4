/** The public interface of `identity`: other modules import only this. */
export { type AccessAudit, createAccessAudit } from './access-audit.ts';
export { type Accounts, createAccounts, findAccounts } from './accounts.ts';
export { type ApiKeys, createApiKeys } from './api-keys.ts';
export { type Answers, deleteAppAnswers, getAppAnswers, setAppAnswers } from './app-answers.ts';
export {
  type AuthenticatorDependencies,
  createAuthenticators,
} from './authenticators/authenticators.ts';
export { createSessionCookies, type SessionCookies } from './authenticators/session-cookies.ts';
export { getSessionOrigin } from './authenticators/session-origin.ts';
export { userRow } from './backup-rows.ts';
export {
  type Account,
  anonymousAllowed,
  type Caller,
  guestGroups,
  signedInCaller,
  withMemberGroups,
} from './caller.ts';
export { checkNewPassword, isCommonPassword } from './check-new-password.ts';
export { findColleagues } from './find-colleagues.ts';
export { getSkillOwner, requireSkillOwner } from './get-skill-owner.ts';
export { parseDirectory } from './identity.ts';
export { createInvitations, type Invitations } from './invitations.ts';
export { isApiKey } from './key-secret.ts';
export { mayReadShared, mayShare } from './may-share.ts';
export { providerFaults } from './oidc/oidc-providers.ts';
export { type OidcSignIn, openOidc } from './oidc/open-oidc.ts';
export { createOwnSessions, type OwnSessions } from './own-sessions.ts';
export {
  createPasswords,
  isPasswordHash,
  markForeignHash,
  type Passwords,
  passwordHashFault,
  passwordRounds,
  randomPassword,
} from './passwords.ts';
export {
  computePermissions,
  type Grant,
  type GrantedSkill,
  grants,
  grantsSkill,
  groupsBySkill,
  type Permissions,
  type SkillGrant,
} from './permissions.ts';
export { createPersonalDataStore, type PersonalDataStore } from './personal-data-store.ts';
export { openProxySignIn, type ProxySignIn } from './proxy/proxy-sign-in.ts';
export { createQuotas, type Quotas, type TurnUsage } from './quotas/quotas.ts';
export { assertNoPrivilegeEscalation } from './rights/admin-rights.ts';
export { assertGroupsExist, assertMembershipsExist } from './rights/assert-groups-exist.ts';
export { assertMayEditGroup } from './rights/assert-may-edit-group.ts';
export { requireRight } from './rights/check-creator.ts';
export { createSecondFactors, removeSecondFactor, type SecondFactors } from './second-factors.ts';
export { createServiceKeys, type ServiceKeys } from './service-keys.ts';
export { createSessionCache, type SessionCache } from './session-cache.ts';
export { maxUncheckedSeconds, sessionSeconds } from './session-seconds.ts';
export { createSessionTokens, newSessionSecret, type SessionTokens } from './session-tokens.ts';
export { getSessionLimits } from './sessions.ts';
export { createSignInAudit, isSignInRefusal, type SignInAudit } from './sign-in-audit.ts';
export { createUserAdmin, getAllGroups, type UserAdmin } from './user-admin.ts';
export { endSharingWith, ownPrompts, promptsSharedWith } from './user-prompts.ts';
