import { z } from 'zod';
import { maxUserVariables, userVariableSchema } from '../access/user-variables.ts';
import { itemIdSchema } from './item-id.ts';
import { localizedSchema } from './localized.ts';

const languageTag = z.string().regex(/^[a-z]{2,3}(-|$)/i, 'A language is written as en or de-AT.');
const textSchema = z.union([z.string(), z.record(languageTag, z.string())]);

/** A suggestion; iHub also writes it as a text alone. */
export const starterPromptSchema = z.union([
  z.looseObject({
    title: localizedSchema,
    /** What comes of it, shown below the title; the message when left out. */
    outcome: localizedSchema.optional(),
    message: localizedSchema,
  }),
  z.looseObject({ text: localizedSchema }),
  textSchema,
]);

/** What an empty conversation shows; iHub also writes a title and a subtitle for each language. */
export const greetingSchema = z.union([
  z.looseObject({ title: localizedSchema, subtitle: localizedSchema.optional() }),
  textSchema,
  z.record(languageTag, z.looseObject({ title: z.string(), subtitle: z.string().optional() })),
]);

export const skillSettingsSchema = z.looseObject({
  autoActivate: z.boolean().optional(),
  /**
   * Whether a request of its own chooses the skills for a message: `auto` for models without tools,
   * unless `autoActivate` gives them all.
   */
  router: z.enum(['auto', 'always', 'off']).optional(),
  maxActiveSkills: z.number().int().min(1).max(10).optional(),
  /** Of the skills offered: those that are active in every conversation, from its first message on. */
  autoInject: z.array(z.string()).optional(),
  /** Of the skills that come by `*` or because they are global: those not offered here. */
  exclude: z.array(z.string()).optional(),
  /** `false` leaves the catalogue out of the prompt. */
  catalog: z.boolean().optional(),
  /**
   * How a model finds skills when not all fit into the prompt whole: those that fit best, and a search for
   * the others (`auto`); as many names as find room (`catalog`). With `search` none is listed.
   */
  discoveryMode: z.enum(['auto', 'catalog', 'search']).optional(),
  /** `false`: users cannot name skills in this app, neither with `/` nor over the API. */
  allowUserSelection: z.boolean().optional(),
  /** Says in the catalogue where each skill comes from. */
  showSource: z.boolean().optional(),
});

/** Of a page: scheme, host and port. It becomes part of a content security policy. */
const originSchema = z
  .url({ error: 'An address such as "https://www.example.org".', abort: true })
  .max(300)
  .regex(
    /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/,
    'An origin such as "https://www.example.org": small letters, no path, no * and no / at its end.',
  );

/** `contents/apps/<id>.json`: one chat configuration. Unknown fields are kept. */
export const appConfigSchema = z.looseObject({
  id: itemIdSchema,
  order: z.number().optional(),
  name: localizedSchema,
  description: localizedSchema.optional(),
  /** What it looks like: see `appLookOf`. */
  icon: z.string().optional(),
  color: z.string().optional(),
  system: localizedSchema.optional(),
  greeting: greetingSchema.optional(),
  starterPrompts: z.array(starterPromptSchema).optional(),
  preferredModel: z.string().optional(),
  allowedModels: z.array(z.string()).optional(),
  preferredTemperature: z.number().min(0).max(2).optional(),
  tokenLimit: z.number().int().positive().optional(),
  /** Ids of the skills offered in this app, in its order; `*` offers all. None when left out. */
  skills: z.array(z.string()).optional(),
  skillSettings: skillSettingsSchema.optional(),
  /**
   * Tools that models may call in this app: ids (`<source>/<name>`), whole sources, names of built-in ones;
   * `*` offers all. None when left out. What a user may use of them, groups say.
   */
  tools: z.array(z.string()).optional(),
  /** Whether users see, for each of their answers here, what the model was given. */
  showTrace: z.boolean().optional(),
  /** `false`: models do not get here what users have written down for all of their conversations. */
  customInstructions: z.boolean().optional(),
  /** The pages that may show the chat of this app in a frame: those of these origins. None when left out. */
  embed: z.looseObject({ origins: z.array(originSchema).max(50).optional() }).optional(),
  /** What it asks each of its users once, for the places in `system` that name it (`{{name}}`). */
  userVariables: z.array(userVariableSchema).max(maxUserVariables).optional(),
  enabled: z.boolean().optional(),
});
export type AppConfig = z.infer<typeof appConfigSchema>;
