import type { Environment } from './env.ts';
import { readReviewCategories } from './modules/admin/index.ts';
import type { ContentStore } from './modules/content/index.ts';
import {
  createInbox,
  createMailQueue,
  createMailSettings,
  createSkillOwners,
  createSkillReviews,
  type Inbox,
  type Mail,
  type MailSettings,
  openMail,
  type PersonalSkills,
  type SkillOwners,
  type SkillReviews,
  type SkillVersions,
  type StoredReview,
} from './modules/skills/index.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Log } from './platform/lib/log.ts';

/** Messages of people to each other about skills. */
export interface InboxServices {
  owners: SkillOwners;
  inbox: Inbox;
  reviews: SkillReviews;
  mailSettings: MailSettings;
  /** Undefined if no mail server is configured. Stop it before closing the database. */
  mail: Mail | undefined;
}

interface Dependencies extends Omit<Parameters<typeof createSkillOwners>[0], 'contents'> {
  cluster: Cluster;
  versions: Pick<SkillVersions, 'keepBefore' | 'categories'>;
  content: ContentStore;
  log: Log;
  personalSkills: PersonalSkills;
}

/** Opens owners, inbox and reviews, and the e-mail about them. */
export async function openInbox(
  environment: Environment,
  dependencies: Dependencies,
): Promise<InboxServices> {
  const { cluster, content, database, store: skills } = dependencies;
  const contents = () => content.current;
  const queue = createMailQueue(environment.mail !== undefined);
  const keep = () => content.current.skills.settings.versions.keep;
  const services = {
    owners: createSkillOwners({ ...dependencies, contents }),
    inbox: createInbox(cluster, database, queue),
    reviews: createSkillReviews(cluster, database, keep, queue),
    mailSettings: createMailSettings(database),
  };
  const readCategories = (review: StoredReview) =>
    readReviewCategories({ ...dependencies, skills }, review);
  const mail = await openMail({
    ...environment,
    ...dependencies,
    ...services,
    contents,
    skills,
    readCategories,
  });
  return { ...services, mail };
}
