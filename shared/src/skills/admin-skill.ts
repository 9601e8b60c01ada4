import { z } from 'zod';
import { listOf } from '../list.ts';
import { shapeOfFields } from './skill-fields.ts';
import { skillTranslationsSchema } from './skill-translations.ts';
import { diagnosticSchema } from './skills.ts';
import { reviewDateSchema } from './skills-config.ts';

export const skillStatuses = ['on', 'off', 'blocked', 'broken', 'shadowed'] as const;
export type SkillStatus = (typeof skillStatuses)[number];

/**
 * Sources of skills, in order of precedence. Only `local` is writable; `mcp` skills are on other
 * servers.
 */
export const skillSourceKinds = ['local', 'plugin', 'extra', 'builtin', 'mcp'] as const;

/** Maximum length of an admin's display name for a skill. */
export const maxDisplayNameLength = 128;

export const adminDiagnosticSchema = diagnosticSchema.extend({
  /** It can be fixed automatically: see `fix`. */
  fixable: z.boolean(),
});
export type AdminDiagnostic = z.infer<typeof adminDiagnosticSchema>;

/** The block of a skill, without its checksum. */
export const adminSkillBlockSchema = z.object({
  reason: z.string(),
  tellUsers: z.boolean(),
  by: z.string().optional(),
  at: z.string().optional(),
});
export type AdminSkillBlock = z.infer<typeof adminSkillBlockSchema>;

/** A skill as an admin sees it, including those that are disabled, broken, or shadowed. */
export const adminSkillSchema = z.object({
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  translations: skillTranslationsSchema.optional(),
  source: z.enum(skillSourceKinds),
  /** The source and the folder in it, such as `local:pdf-processing`; never a path of the host. */
  location: z.string(),
  /** Whether it is in the local source, which can be edited. */
  writable: z.boolean(),
  /** The plugin that provides it, and whether an admin trusts that. */
  plugin: z.object({ id: z.string(), enabled: z.boolean(), trusted: z.boolean() }).optional(),
  status: z.enum(skillStatuses),
  block: adminSkillBlockSchema.optional(),
  /** The skill to use instead is omitted if there is none, or if it no longer exists. */
  deprecated: z
    .object({ successor: z.string().optional(), note: z.string().optional() })
    .optional(),
  ...shapeOfFields('admin', 'list'),
  diagnostics: z.array(adminDiagnosticSchema),
  /** Ids of the apps that offer it. */
  apps: z.array(z.string()),
  /** Ids of the groups that may use it, directly or by inheritance. */
  groups: z.array(z.string()),
  priority: z.number(),
  /** Offered in every app. */
  global: z.boolean(),
  files: z.number().int(),
  bytes: z.number().int(),
  /** SHA-256 over all files, in hex, for `If-Match`. */
  checksum: z.string(),
  updatedAt: z.string(),
});
export type AdminSkill = z.infer<typeof adminSkillSchema>;

export const adminSkillFileSchema = z.object({
  path: z.string(),
  size: z.number().int(),
  executable: z.boolean(),
  kind: z.enum(['text', 'picture', 'binary']),
});
export type AdminSkillFile = z.infer<typeof adminSkillFileSchema>;

export const adminSkillDetailSchema = adminSkillSchema.extend({
  /** Checksum of the admin settings, for `If-Match` when they change. */
  settingsChecksum: z.string(),
  ...shapeOfFields('admin', 'detail'),
  metadata: z.record(z.string(), z.string()),
  userInvocable: z.boolean(),
  modelInvocable: z.boolean(),
  /** Conforms to the Agent Skills specification. */
  valid: z.boolean(),
  /** The description in the file; `description` may be an admin's override. */
  ownDescription: z.string(),
  /** The name in the file; `displayName` may be an admin's override. */
  ownDisplayName: z.string(),
  overrides: z.object({
    description: z.string().optional(),
    displayName: z.string().optional(),
  }),
  /** Users without access can find it in the library, and request access. */
  discoverable: z.boolean(),
  /** Last day for the review of its content. */
  reviewBy: reviewDateSchema.optional(),
  scripts: z.object({
    /** Whether its settings allow scripts. */
    allowed: z.boolean(),
    /** Whether an admin has approved the current files. */
    approved: z.boolean(),
    /** Whether files have changed since an approval. */
    outdated: z.boolean(),
    /** Paths of executable scripts. */
    files: z.array(z.string()),
  }),
  /** Apps that list this skill by name, not with `*`: only these can be unassigned here. */
  listedInApps: z.array(z.string()),
  /** Groups that grant this skill by name, not with `*` or by inheritance. */
  grantedByGroups: z.array(z.string()),
  /** Apps that offer a fixed version of this skill instead of the published one. */
  pins: z.array(z.object({ app: z.string(), version: z.number().int() })),
  /** The version that members of groups get, in apps without a pin; omitted without a preview. */
  preview: z.object({ version: z.number().int(), groups: z.array(z.string()) }).optional(),
  /** For a skill on another server: whether its tools are approved for the current files. */
  approval: z.enum(['none', 'given', 'outdated']).optional(),
  /** Estimated tokens. */
  tokens: z.object({ entry: z.number().int(), body: z.number().int() }),
  fileList: z.array(adminSkillFileSchema),
  /** Skills with the same name that this one shadows. */
  hides: z.array(
    z.object({
      location: z.string(),
      description: z.string(),
    }),
  ),
});
export type AdminSkillDetail = z.infer<typeof adminSkillDetailSchema>;

/** Days for which the usage of skills is counted. */
export const usageDays = 30;

/** Filters by severity: skills with at least one such diagnostic. */
export const skillProblems = ['errors', 'warnings'] as const;
export type SkillProblem = (typeof skillProblems)[number];

/** Usage of a skill; `lastUsedAt` is omitted if it was never used. */
export const skillUsageSchema = z.object({
  /** Answers of the last `usageDays` in which it was active. */
  uses: z.number().int(),
  /** Last use in an answer that analytics still retain. */
  lastUsedAt: z.string().optional(),
});
export type SkillUsage = z.infer<typeof skillUsageSchema>;

/** A skill in the list. */
export const listedSkillSchema = adminSkillSchema.extend({
  /** Omitted if analytics are off (`analytics.days` is 0) or cannot be read. */
  usage: skillUsageSchema.optional(),
  /** Whether it has a draft that the caller may edit. */
  hasDraft: z.boolean().optional(),
  /** The id of its open review, if the caller may see that. */
  review: z.string().optional(),
});
export type ListedSkill = z.infer<typeof listedSkillSchema>;

/** Fields of skills that the list can be filtered by. */
export const skillFacetFields = ['category', 'tag', 'tool'] as const;

/** A filter value with the number of skills that have it. */
export const skillFacetSchema = z.object({ value: z.string(), count: z.number().int() });
export type SkillFacet = z.infer<typeof skillFacetSchema>;

/** Maximum number of categories, tags and required tools in the list response. */
export const maxFacets = 50;

export const adminSkillListSchema = listOf(listedSkillSchema).extend({
  /**
   * Filter values with their numbers of skills, independent of the current filter. For categories,
   * tags and required tools, only the most frequent; `adminSkillsApi.facets` returns all.
   */
  facets: z.object({
    statuses: z.record(z.enum(skillStatuses), z.number().int()),
    problems: z.record(z.enum(skillProblems), z.number().int()),
    sources: z.array(z.enum(skillSourceKinds)),
    categories: z.array(skillFacetSchema),
    tags: z.array(skillFacetSchema),
    tools: z.array(skillFacetSchema),
  }),
  /** Number of folders skipped while scanning: too deep, too many, or not readable. */
  foldersLeftOut: z.number().int(),
});

/** Why a group does or does not see a skill in an app: the first rule that applies. */
export const accessRules = [
  'broken',
  'shadowed',
  'blocked',
  'off',
  'app-off',
  'app-not-granted',
  'skill-not-granted',
  'not-in-app',
  'excluded',
  'listed',
  'all-listed',
  'global',
] as const;

export const skillAccessSchema = z.object({
  groups: z.array(z.object({ id: z.string(), name: z.string() })),
  apps: z.array(z.object({ id: z.string(), name: z.string() })),
  /** One for each group and app. */
  cells: z.array(
    z.object({
      group: z.string(),
      app: z.string(),
      sees: z.boolean(),
      rule: z.enum(accessRules),
      /** The group that grants the skill, if it is inherited. */
      via: z.string().optional(),
    }),
  ),
});
export type SkillAccess = z.infer<typeof skillAccessSchema>;
