import type { Module } from '../../platform/http/module.ts';
import { adminConfigRoutes } from './routes/admin-config-routes.ts';
import { adminRoutes } from './routes/admin-routes.ts';
import { adminSkillRoutes } from './routes/admin-skill-routes.ts';
import { adminToolRoutes } from './routes/admin-tool-routes.ts';
import { adminTryRoutes } from './routes/admin-try-routes.ts';
import { draftTestRoutes } from './routes/draft-test-routes.ts';
import { mySkillRoutes } from './routes/my-skill-routes.ts';
import { pluginRoutes } from './routes/plugin-routes.ts';
import { sharedSkillRoutes } from './routes/shared-skill-routes.ts';
import { skillAddressRoutes } from './routes/skill-address-routes.ts';
import { skillArchiveRoutes } from './routes/skill-archive-routes.ts';
import { skillBinRoutes } from './routes/skill-bin-routes.ts';
import { skillBlockRoutes } from './routes/skill-block-routes.ts';
import { skillDraftRoutes } from './routes/skill-draft-routes.ts';
import { skillFilesRoutes } from './routes/skill-files-routes.ts';
import { skillFolderRoutes } from './routes/skill-folder-routes.ts';
import { skillOwnerRoutes } from './routes/skill-owner-routes.ts';
import { skillReviewRoutes } from './routes/skill-review-routes.ts';
import { skillSharingRoutes } from './routes/skill-sharing-routes.ts';
import { skillSourceRoutes } from './routes/skill-source-routes.ts';
import { skillToolRoutes } from './routes/skill-tool-routes.ts';
import { skillUpstreamRoutes } from './routes/skill-upstream-routes.ts';
import { skillVersionRoutes } from './routes/skill-version-routes.ts';
import { triggerRoutes } from './routes/trigger-routes.ts';

export const admin = {
  routes: [
    adminRoutes,
    adminConfigRoutes,
    adminTryRoutes,
    adminToolRoutes,
    pluginRoutes,
    skillToolRoutes,
    adminSkillRoutes,
    skillArchiveRoutes,
    skillAddressRoutes,
    skillSourceRoutes,
    skillUpstreamRoutes,
    skillBlockRoutes,
    skillOwnerRoutes,
    skillFilesRoutes,
    skillBinRoutes,
    skillSharingRoutes,
    skillVersionRoutes,
    skillDraftRoutes,
    skillFolderRoutes,
    draftTestRoutes,
    skillReviewRoutes,
    mySkillRoutes,
    sharedSkillRoutes,
    triggerRoutes,
  ],
} satisfies Module;
