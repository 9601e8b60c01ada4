import { z } from 'zod';

/** Why `allowScriptExecution` cannot be true. */
export const noRunner =
  'Scripts cannot be run: there is no runner for them. Set SCRIPT_RUNNER in the environment, or leave this out.';
/** Why that of a skill has no effect. */
export const noScripts =
  'Scripts cannot run: settings.allowScriptExecution is not true. Set it to true, or remove this.';

export const skillEntrySchema = z.looseObject({
  /** The folder of the skill, where that is not the key of this entry. */
  directory: z.string().optional(),
  enabled: z.boolean().optional(),
  /** In place of what its `SKILL.md` says. */
  overrides: z
    .looseObject({ description: z.string().optional(), displayName: z.string().optional() })
    .optional(),
  /** Its scripts may be run, where something can run them. */
  allowScriptExecution: z.boolean().optional(),
  /** The checksum of its files as an admin has approved its scripts: while it is that, nobody is asked. */
  approvedScripts: z.string().optional(),
  /** The checksum of all files of a skill on another server, as an admin has approved it. */
  approved: z.string().optional(),
  /** What its own tool may reach, and is told. */
  tool: z
    .looseObject({
      /** Hosts that its code may ask; `*.example.org` for all below one. */
      hosts: z.array(z.string().min(1).max(253)).max(100).optional(),
      /** Values of the settings that its plugin asks for. */
      settings: z.record(z.string(), z.string().max(10_000)).optional(),
    })
    .optional(),
  /** Higher comes first in the catalogue, in apps that do not list it. */
  priority: z.number().optional(),
  /** Offered in every app. */
  global: z.boolean().optional(),
});

/** `settings` of `skills.json`: of all skills. */
export const skillSettingsSchema = z.looseObject({
  skillsDirectory: z.string().optional(),
  /** Paths, or objects with a path. */
  sources: z
    .array(z.string().or(z.looseObject({ path: z.string(), recursive: z.boolean().optional() })))
    .max(100)
    .optional(),
  maxSkillBodyTokens: z.number().int().positive().optional(),
  maxSkillsPerRequest: z.number().int().positive().optional(),
  /** The model that chooses skills for others; the one that answers, when left out. */
  routerModel: z.string().optional(),
  catalogTokenBudget: z.number().int().positive().optional(),
  /** Models get our own tools in the language of the user, where there is a translation. */
  translateTools: z.boolean().optional(),
  /** Scripts run only if this is `true` and the skill allows it, too. */
  allowScriptExecution: z.boolean().optional(),
});

/** `contents/config/skills.json`: what an admin decided on skills, by id. Unknown fields are kept. */
export const skillsConfigSchema = z.looseObject({
  skills: z.record(z.string(), skillEntrySchema).optional(),
  /** What an admin decided on plugins, by the name of their folder. */
  plugins: z
    .record(
      z.string(),
      z.looseObject({
        /** `false`: its skills are off, whatever is said of them. */
        enabled: z.boolean().optional(),
        /** Whether an admin trusts it; shown with its skills. */
        trusted: z.boolean().optional(),
      }),
    )
    .optional(),
  settings: skillSettingsSchema.optional(),
});
export type SkillsConfig = z.infer<typeof skillsConfigSchema>;
