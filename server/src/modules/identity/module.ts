import type { Module } from '../../platform/http/module.ts';
import { accountRoutes } from './routes/account-routes.ts';
import { adminSignInRoutes } from './routes/admin-sign-in-routes.ts';
import { adminUserRoutes } from './routes/admin-user-routes.ts';
import { apiKeyRoutes } from './routes/api-key-routes.ts';
import { authRoutes } from './routes/auth-routes.ts';
import { favouriteRoutes } from './routes/favourite-routes.ts';
import { invitationRoutes } from './routes/invitation-routes.ts';
import { oidcRoutes } from './routes/oidc-routes.ts';
import { preferenceRoutes } from './routes/preference-routes.ts';
import { secondFactorRoutes } from './routes/second-factor-routes.ts';
import { serviceKeyRoutes } from './routes/service-key-routes.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import { usageRoutes } from './routes/usage-routes.ts';
import { userPromptRoutes } from './routes/user-prompt-routes.ts';

export const identity = {
  routes: [
    authRoutes,
    oidcRoutes,
    accountRoutes,
    apiKeyRoutes,
    preferenceRoutes,
    sessionRoutes,
    secondFactorRoutes,
    userPromptRoutes,
    favouriteRoutes,
    adminUserRoutes,
    serviceKeyRoutes,
    usageRoutes,
    adminSignInRoutes,
    invitationRoutes,
  ],
} satisfies Module;
