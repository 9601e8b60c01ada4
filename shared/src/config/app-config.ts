import { z } from 'zod';
import { maxUserVariables, userVariableSchema } from '../access/user-variables.ts';
import { maxVersionNumber } from '../skills/version-number.ts';
import { itemIdSchema } from './item-id.ts';
import { localizedSchema } from './localized.ts';

const languageTag = z.string().regex(/^[a-z]{2,3}(-|$)/i, 'A language is written as en or de-AT.');
const textSchema = z.union([z.string(), z.record(languageTag, z.string())]);

/** A suggestion; iHub also allows a plain text. */
export const starterPromptSchema = z.union([
  z.looseObject({
    title: localizedSchema,
    /** Subtitle; defaults to the message. */
    outcome: localizedSchema.optional(),
    message: localizedSchema,
  }),
  z.looseObject({ text: localizedSchema }),
  textSchema,
]);

/** Greeting of an empty conversation; iHub also allows title and subtitle for each language. */
export const greetingSchema = z.union([
  z.looseObject({ title: localizedSchema, subtitle: localizedSchema.optional() }),
  textSchema,
  z.record(languageTag, z.looseObject({ title: z.string(), subtitle: z.string().optional() })),
]);

export const skillSettingsSchema = z.looseObject({
  autoActivate: z.boolean().default(false),
  /**
   * Whether a router model chooses skills for each message: `auto` for models without tools, unless
   * `autoActivate` gives them all.
   */
  router: z.enum(['auto', 'always', 'off']).default('auto'),
  maxActiveSkills: z.number().int().min(1).max(10).optional(),
  /** Offered skills that are active in every conversation from the first message. */
  autoInject: z.array(z.string()).optional(),
  /** Skills not offered here, of those that come by `*` or because they are global. */
  exclude: z.array(z.string()).optional(),
  /** `false` omits the catalogue from the prompt. */
  catalog: z.boolean().default(true),
  /**
   * How a model discovers skills if not all fit into the prompt: the best ones and a search
   * (`auto`), or as many names as fit (`catalog`). With `search`, none is listed.
   */
  discoveryMode: z.enum(['auto', 'catalog', 'search']).default('auto'),
  /** `false`: users cannot name skills in this app, neither with `/` nor over the API. */
  allowUserSelection: z.boolean().default(true),
  /** Shows the source of each skill in the catalogue. */
  showSource: z.boolean().default(false),
});

/** An origin: scheme, host and port. It becomes part of a content security policy. */
const originSchema = z
  .url({ error: 'An address such as "https://www.example.org".', abort: true })
  .max(300)
  .regex(
    /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/,
    'An origin such as "https://www.example.org": small letters, no path, no * and no / at its end.',
  );

/** A skill in the list of an app, pinned to a version. */
const pinnedSkillSchema = z.looseObject({
  name: z.string().min(1),
  version: z.number().int().min(1).max(maxVersionNumber),
});

/** The fields of an app as they are written, for forms. */
export const writtenAppSchema = z.looseObject({
  id: itemIdSchema,
  order: z.number().optional(),
  name: localizedSchema,
  description: localizedSchema.optional(),
  /** Its appearance: see `getAppLook`. */
  icon: z.string().optional(),
  color: z.string().optional(),
  system: localizedSchema.optional(),
  greeting: greetingSchema.optional(),
  starterPrompts: z.array(starterPromptSchema).optional(),
  preferredModel: z.string().optional(),
  allowedModels: z.array(z.string()).optional(),
  preferredTemperature: z.number().min(0).max(2).optional(),
  tokenLimit: z.number().int().positive().optional(),
  /**
   * Ids of the skills offered in this app, in order; `*` offers all. Default: none. An object pins
   * a skill to one of its versions; others follow the published version.
   */
  skills: z.array(z.string().or(pinnedSkillSchema)).optional(),
  skillSettings: skillSettingsSchema.prefault({}),
  /**
   * Tools that models may call in this app: ids (`<source>/<name>`), whole sources, or names of
   * built-in tools; `*` offers all. Default: none. Permissions of users come from groups.
   */
  tools: z.array(z.string()).optional(),
  /** Whether users can see what the model got for their answers. */
  showTrace: z.boolean().default(false),
  /** `false`: models do not get users' custom instructions here. */
  customInstructions: z.boolean().default(true),
  /** Origins that may embed the chat of this app. Default: none. */
  embed: z.looseObject({ origins: z.array(originSchema).max(50).optional() }).optional(),
  /** Questions to each user, for the placeholders `{{name}}` in `system`. */
  userVariables: z.array(userVariableSchema).max(maxUserVariables).default([]),
  enabled: z.boolean().default(true),
});

/**
 * `contents/apps/<id>.json`: a chat configuration. Unknown fields are preserved. Once parsed, `skills` has
 * only names, and `pins` the versions by name. Of several pins of a skill, the first one counts.
 */
export const appConfigSchema = writtenAppSchema.transform(({ skills, ...app }) => ({
  ...app,
  ...(skills ? { skills: [...new Set(skills.flatMap((entry) => listedName(entry) ?? []))] } : {}),
  pins: listPins(skills),
}));
export type AppConfig = z.infer<typeof appConfigSchema>;

/** The name in an entry of an app's list of skills; undefined for an invalid entry. */
export function listedName(entry: unknown): string | undefined {
  if (typeof entry === 'string') {
    return entry;
  }
  return pinnedSkillSchema.safeParse(entry).data?.name;
}

/** The versions to which a list of skills pins them, by name. Ignores invalid entries. */
export function listPins(entries: unknown): ReadonlyMap<string, number> {
  const pins = new Map<string, number>();
  for (const entry of Array.isArray(entries) ? entries : []) {
    const pin = typeof entry === 'string' ? undefined : pinnedSkillSchema.safeParse(entry).data;
    if (pin && !pins.has(pin.name)) {
      pins.set(pin.name, pin.version);
    }
  }
  return pins;
}
