import { z } from 'zod';
import { withoutHiddenCharacters } from '../names.ts';
import { categoryChecksSchema, checkSettingsSchema, triggerCheckSchema } from './check-settings.ts';
import { categoryKey } from './skill-category.ts';
import { triggerScheduleSchema } from './trigger-schedule.ts';
import { maxVersionNumber } from './version-number.ts';

/** Why `allowScriptExecution` cannot be true. */
export const noRunner =
  'Scripts cannot be run: there is no runner for them. Set SCRIPT_RUNNER in the environment, or leave this out.';
/** Why a skill's `allowScriptExecution` has no effect. */
export const noScripts =
  'Scripts cannot run: settings.allowScriptExecution is not true. Set it to true, or remove this.';

/** A day, as `2027-03-31`. */
export const reviewDateSchema = z.iso.date();

/** Maximum length of the note about a deprecation, in characters. */
export const maxDeprecationNote = 1000;

/** A deprecated skill still works, but is no longer recommended. */
export const skillDeprecationSchema = z.looseObject({
  /** The id of the skill to use instead. */
  successor: z.string().min(1).max(300).optional(),
  /** For users. */
  note: z
    .string()
    .overwrite(withoutHiddenCharacters)
    .trim()
    .min(1)
    .max(maxDeprecationNote)
    .optional(),
});

export const skillEntrySchema = z.looseObject({
  /** The folder of the skill, if it is not the key of this entry. */
  directory: z.string().optional(),
  enabled: z.boolean().optional(),
  /** Overrides fields of its `SKILL.md`. */
  overrides: z
    .looseObject({ description: z.string().optional(), displayName: z.string().optional() })
    .optional(),
  /** Whether its scripts may run, if there is a runner. */
  allowScriptExecution: z.boolean().optional(),
  /**
   * Checksum of its files for which an admin has approved its scripts: while it matches, users are
   * not asked.
   */
  approvedScripts: z.string().optional(),
  /** Checksum of all files of a skill on another server, as approved by an admin. */
  approved: z.string().optional(),
  /** Settings of its own tool. */
  tool: z
    .looseObject({
      /** Allowlist of hosts; `*.example.org` matches all subdomains. */
      hosts: z.array(z.string().min(1).max(253)).max(100).optional(),
      /** Values of the settings that its plugin declares. */
      settings: z.record(z.string(), z.string().max(10_000)).optional(),
    })
    .optional(),
  /** Higher comes first in the catalogue, in apps that do not list it. */
  priority: z.number().optional(),
  /** Offered in every app. */
  global: z.boolean().optional(),
  /** Users without access see its name and description in the library, and can request access. */
  discoverable: z.boolean().optional(),
  /** Last day for the review of its content. */
  reviewBy: reviewDateSchema.optional(),
  deprecated: skillDeprecationSchema.optional(),
});

/** The block of a skill: it is used by none, whatever the other settings. */
export const skillBlockSchema = z.looseObject({
  /** For administrators, and for users if `tellUsers`. */
  reason: z.string().overwrite(withoutHiddenCharacters).trim().min(1).max(1000),
  /** Whether users of conversations with the skill see the reason. */
  tellUsers: z.boolean().default(false),
  /** Display name of the administrator. */
  by: z.string().max(300).optional(),
  /** ISO 8601, UTC. */
  at: z.string().max(40).optional(),
  /** SHA-256 over all its files when it was blocked: these files cannot be imported under any name. */
  checksum: z.string().max(64).optional(),
});

/** A version that members of groups get instead of the published one, in apps that do not pin the skill. */
export const skillPreviewSchema = z.looseObject({
  version: z.number().int().min(1).max(maxVersionNumber),
  /** Ids of groups. Their members must have the skill anyway. */
  groups: z.array(z.string().min(1).max(300)).min(1).max(1000),
  /** Display name of the administrator. */
  by: z.string().max(300).optional(),
  /** ISO 8601, UTC. */
  at: z.string().max(40).optional(),
});

const publishingMode = z.enum(['direct', 'review']);

/** Maximum number of categories with a policy. */
const maxCategoryPolicies = 100;

/** `publishing.byCategory`: what is left out is as in the general policy. */
const categoryPoliciesSchema = z
  .record(
    z.string().max(200),
    z.looseObject({
      mode: publishingMode.optional(),
      fourEyes: z.boolean().optional(),
      checks: categoryChecksSchema.optional(),
    }),
  )
  .superRefine((policies, context) => {
    const names = Object.keys(policies);
    if (names.length > maxCategoryPolicies) {
      context.addIssue({
        code: 'custom',
        message: `At most ${maxCategoryPolicies} categories can have a policy.`,
      });
    }
    for (const name of names.filter((each) => categoryKey(each) === undefined)) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'A category needs a name. Name one, or remove this entry.',
      });
    }
    const first = new Map(names.toReversed().map((name) => [categoryKey(name), name]));
    for (const name of names.filter((each) => first.get(categoryKey(each)) !== each)) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `"${name}" is the same category as "${first.get(categoryKey(name))}". Remove one.`,
      });
    }
  });

/** `settings` of `skills.json`, for all skills. */
export const skillSettingsSchema = z.looseObject({
  skillsDirectory: z.string().default('contents/skills'),
  /** Paths, or objects with a path. */
  sources: z
    .array(z.string().or(z.looseObject({ path: z.string(), recursive: z.boolean().optional() })))
    .max(100)
    .default([]),
  catalogTokenBudget: z.number().int().min(1).default(4000),
  maxSkillsPerRequest: z.number().int().min(1).default(10),
  maxSkillBodyTokens: z.number().int().min(1).default(5000),
  /** The router model, which chooses skills for others; defaults to the answering model. */
  routerModel: z.string().optional(),
  /** Whether models get our own tools in the user's language, if translated. */
  translateTools: z.boolean().default(false),
  versions: z
    .looseObject({
      /** Versions of each skill that are kept. The current one is always among them. */
      keep: z.number().int().min(1).max(10_000).default(100),
    })
    .prefault({}),
  bin: z
    .looseObject({
      /** Days for which deleted skills are kept; 0: until they are deleted permanently. */
      days: z.number().min(0).max(3650).default(30),
    })
    .prefault({}),
  triggerTests: triggerScheduleSchema.prefault({}),
  publishing: z
    .looseObject({
      /** `review`: only administrators with the right `publish` change what is published. */
      mode: publishingMode.default('direct'),
      /** With `review`: no author of a change publishes it. */
      fourEyes: z.boolean().default(false),
      /** `review`: edits in the folder of skills become drafts. Independent of `mode`. */
      files: publishingMode.default('direct'),
      /** Checks of a draft before it is published. */
      checks: checkSettingsSchema.prefault({}),
      triggerTests: triggerCheckSchema.prefault({}),
      /** Other values for the skills of a category, by its name. */
      byCategory: categoryPoliciesSchema.default({}),
    })
    .prefault({}),
  /** Scripts run only if this is `true` and the skill allows it, too. */
  allowScriptExecution: z.boolean().default(false),
});

/** `contents/config/skills.json`: admin settings of skills, by id. Unknown fields are preserved. */
export const skillsConfigSchema = z.looseObject({
  skills: z.record(z.string(), skillEntrySchema).optional(),
  /** Blocked skills, by id. A block outlives the deletion of its skill. */
  blocked: z.record(z.string(), skillBlockSchema).optional(),
  /** Versions in preview, by skill id. */
  previews: z.record(z.string(), skillPreviewSchema).optional(),
  /** Admin settings of plugins, by folder name. */
  plugins: z
    .record(
      z.string(),
      z.looseObject({
        /** `false`: its skills are disabled, whatever their settings. */
        enabled: z.boolean().optional(),
        /** Whether an admin trusts it; displayed with its skills. */
        trusted: z.boolean().optional(),
      }),
    )
    .optional(),
  settings: skillSettingsSchema.prefault({}),
});
export type SkillsConfig = z.infer<typeof skillsConfigSchema>;

/** The settings of an empty file. */
export const defaultSkillsConfig = skillsConfigSchema.parse({});
