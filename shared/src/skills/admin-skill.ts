import { z } from 'zod';
import { deprecatedAlias } from '../deprecated-alias.ts';
import { listOf } from '../list.ts';
import { shapeOfFields } from './skill-fields.ts';
import { diagnosticSchema } from './skills.ts';

export const skillStatuses = ['on', 'off', 'broken', 'shadowed'] as const;
export type SkillStatus = (typeof skillStatuses)[number];

/**
 * Where a skill comes from, in order of precedence. Only `local` is ever written; those of `mcp` are on other
 * servers.
 */
export const skillSourceKinds = ['local', 'plugin', 'extra', 'builtin', 'mcp'] as const;

/** Characters that an admin's own name for a skill may have. */
export const mostDisplayName = 128;

export const adminDiagnosticSchema = diagnosticSchema.extend({
  /** A machine can fix it: see `fix`. */
  fixable: z.boolean(),
});
export type AdminDiagnostic = z.infer<typeof adminDiagnosticSchema>;

/** One skill as an admin sees it: also those that are off, broken, or hidden by another. */
export const adminSkillSchema = z.object({
  name: z.string(),
  displayName: z.string(),
  description: z.string(),
  source: z.enum(skillSourceKinds),
  /** The source and the folder in it, such as `local:pdf-processing`; never a path of the host. */
  location: z.string(),
  place: deprecatedAlias('location'),
  /** Can be changed here: it is in the local source. */
  writable: z.boolean(),
  /** The plugin that brings it, and whether an admin trusts that. */
  plugin: z.object({ id: z.string(), enabled: z.boolean(), trusted: z.boolean() }).optional(),
  status: z.enum(skillStatuses),
  ...shapeOfFields('admin', 'list'),
  diagnostics: z.array(adminDiagnosticSchema),
  /** Ids of the apps that offer it. */
  apps: z.array(z.string()),
  /** Ids of the groups that may use it, of their own or by inheritance. */
  groups: z.array(z.string()),
  priority: z.number(),
  /** Offered in every app. */
  global: z.boolean(),
  files: z.number().int(),
  bytes: z.number().int(),
  /** sha256 over all files, in hex: what `If-Match` takes. */
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
  /** Of what admins decided on it: what `If-Match` takes when that is changed. */
  settingsChecksum: z.string(),
  ...shapeOfFields('admin', 'detail'),
  metadata: z.record(z.string(), z.string()),
  userInvocable: z.boolean(),
  modelInvocable: z.boolean(),
  /** Conforms to the Agent Skills specification. */
  valid: z.boolean(),
  /** The description in the file; `description` is the admin's where there is one. */
  ownDescription: z.string(),
  /** The name in the file; `displayName` is the admin's where there is one. */
  ownDisplayName: z.string(),
  overrides: z.object({
    description: z.string().optional(),
    displayName: z.string().optional(),
  }),
  scripts: z.object({
    /** Its settings allow them. */
    allowed: z.boolean(),
    /** An admin has approved them, and no file has changed since. */
    approved: z.boolean(),
    /** An admin has approved them, and a file has changed since. */
    outdated: z.boolean(),
    /** Paths of what could be run. */
    files: z.array(z.string()),
  }),
  /** Apps that list this very skill, not all with `*`. Only these can be taken away here. */
  listedInApps: z.array(z.string()),
  /** Groups that grant this very skill, not all with `*` and not by inheritance. */
  grantedByGroups: z.array(z.string()),
  /** Of a skill on another server: whether the tools that it names are approved, for its files as they are. */
  approval: z.enum(['none', 'given', 'outdated']).optional(),
  /** Estimates of what it costs the model. */
  tokens: z.object({ entry: z.number().int(), body: z.number().int() }),
  fileList: z.array(adminSkillFileSchema),
  /** Skills of the same name that this one hides. */
  hides: z.array(
    z.object({
      location: z.string(),
      place: deprecatedAlias('location'),
      description: z.string(),
    }),
  ),
});
export type AdminSkillDetail = z.infer<typeof adminSkillDetailSchema>;

/** Of what days the uses of a skill are counted, up to now. */
export const usageDays = 30;

/** How bad diagnostics are that skills are filtered by: those with at least one such. */
export const skillProblems = ['errors', 'warnings'] as const;
export type SkillProblem = (typeof skillProblems)[number];

/** How a skill was used; of one that never was, `lastUsedAt` is missing. */
export const skillUsageSchema = z.object({
  /** Answers of the last `usageDays` in which it was active. */
  uses: z.number().int(),
  /** When it was last active in an answer whose numbers are kept. */
  lastUsedAt: z.string().optional(),
});
export type SkillUsage = z.infer<typeof skillUsageSchema>;

/** One skill in the list. */
export const listedSkillSchema = adminSkillSchema.extend({
  /** Missing where nothing is counted: `analytics.days` is 0, or the numbers cannot be read now. */
  usage: skillUsageSchema.optional(),
});
export type ListedSkill = z.infer<typeof listedSkillSchema>;

/** What skills are filtered by that each of them says itself. */
export const skillFacetFields = ['category', 'tag', 'tool'] as const;

/** A value by which skills are filtered, and how many skills have it. */
export const skillFacetSchema = z.object({ value: z.string(), count: z.number().int() });
export type SkillFacet = z.infer<typeof skillFacetSchema>;

/** So many categories, tags and required tools come with the list. */
export const mostFacets = 50;

export const adminSkillListSchema = listOf(listedSkillSchema).extend({
  /**
   * What there is to filter by, with how many skills each, whatever the filter. Of categories, tags and
   * required tools only the most frequent; all of them are in `adminSkillsApi.facets`.
   */
  facets: z.object({
    statuses: z.record(z.enum(skillStatuses), z.number().int()),
    problems: z.record(z.enum(skillProblems), z.number().int()),
    sources: z.array(z.enum(skillSourceKinds)),
    categories: z.array(skillFacetSchema),
    tags: z.array(skillFacetSchema),
    tools: z.array(skillFacetSchema),
  }),
  /** Folders in which skills are not looked for: too deep, too many, or not readable. */
  foldersLeftOut: z.number().int(),
});

/** Why a group sees a skill in an app, or does not: the first rule that decides. */
export const accessRules = [
  'broken',
  'shadowed',
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
      /** The group that grants the skill, where another is inherited from. */
      via: z.string().optional(),
    }),
  ),
});
export type SkillAccess = z.infer<typeof skillAccessSchema>;
