import { z } from 'zod';
import { quotaSchema } from '../access/quotas.ts';
import { oidcAuthSchema, proxyAuthSchema } from '../access/sign-in-config.ts';
import { modelConfigSchema } from './models.ts';

/** What makes texts into vectors, over an endpoint like OpenAI's `/v1/embeddings`. */
const embedderConfigSchema = modelConfigSchema
  .pick({ modelId: true, url: true, apiKeyEnv: true, enabled: true })
  .extend({
    provider: z.enum(['openai', 'mistral', 'local']),
    /** How long a message waits for its vector at most, in milliseconds; 400 when left out. */
    maxWaitMs: z.number().int().min(50).max(10_000).optional(),
  });
export type EmbedderConfig = z.infer<typeof embedderConfigSchema>;

/**
 * A host (`mcp.internal`), with a port or without, an address (IPv6 with a port in brackets), or all with its
 * first bits (`10.1.0.0/16`).
 */
const privateHostSchema = z.union(
  [
    z.cidrv4(),
    z.cidrv6(),
    z.ipv6(),
    z.string().regex(/^(?!\d+$)[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?(?::\d{1,5})?$/u),
    z.string().regex(/^\[[0-9a-f:.]+\](?::\d{1,5})?$/i),
  ],
  'A host such as "mcp.internal" or "mcp.internal:8443", an address, or a range such as "10.1.0.0/16".',
);

/** A host of the web, with a port or without. It becomes part of the page's content security policy. */
const imageHostSchema = z
  .string()
  .max(260)
  .regex(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/i,
    'A host such as "images.example.org", without https:// and without a path.',
  );

/** `contents/config/platform.json`: how this installation behaves. Unknown fields are kept. */
export const platformConfigSchema = z.looseObject({
  /** Visitors without an account. Left out, `enabled` is true on loopback and false elsewhere. */
  anonymousAuth: z
    .looseObject({ enabled: z.boolean().optional(), defaultGroups: z.array(z.string()).optional() })
    .optional(),
  localAuth: z
    .looseObject({
      enabled: z.boolean().optional(),
      /** How long a session lasts. */
      sessionTimeoutMinutes: z.number().int().positive().optional(),
      /** Without a request for so long a session ends before that; 0: it does not. */
      idleTimeoutMinutes: z.number().int().min(0).optional(),
      /** Sessions of one user at once: the oldest end. */
      maxSessions: z.number().int().positive().optional(),
      /** Characters of a password that is chosen from now on. */
      passwordMinLength: z.number().int().min(8).max(64).optional(),
    })
    .optional(),
  /** Providers of OpenID Connect with which people sign in. */
  oidcAuth: oidcAuthSchema.optional(),
  /** A reverse proxy that signs people in. */
  proxyAuth: proxyAuthSchema.optional(),
  /** The groups every signed-in user has besides their own. */
  authenticatedGroups: z.array(z.string()).optional(),
  /**
   * Environment variables that `${NAME}` in configuration files may read besides `KNOWHOW_…`. What is
   * called like a secret is not read even so.
   */
  placeholders: z.array(z.string()).optional(),
  /** `false`: browsers do not offer to install Knowhow as an app, and forget what was kept for that. */
  installable: z.boolean().optional(),
  /** Per user, or per address when anonymous; a minute, but for `streams`. 0 switches one off. */
  rateLimit: z
    .looseObject({
      requests: z.number().int().min(0).optional(),
      turns: z.number().int().min(0).optional(),
      failedLogins: z.number().int().min(0).optional(),
      /** Answers under way at once, and as many that are followed besides. */
      streams: z.number().int().min(0).optional(),
    })
    .optional(),
  /** How much may be used, where groups and keys say nothing else. */
  quotas: z
    .looseObject({
      /** By each user with an account, with all their keys. */
      user: quotaSchema.optional(),
      /** With each key. */
      key: quotaSchema.optional(),
    })
    .optional(),
  /** When an answer is ended that nobody stops. 0 switches a limit off. */
  turns: z
    .looseObject({
      /** Minutes without anything from the model; left out, the environment's `TURN_IDLE_MINUTES`. */
      idleMinutes: z.number().min(0).optional(),
      /** Minutes in which nobody has followed it. */
      unreadMinutes: z.number().min(0).optional(),
    })
    .optional(),
  /** What conversations are called after their first answer. */
  titles: z
    .looseObject({
      /** Whether the model of the app writes a title, in a short request of its own. */
      byModel: z.boolean().optional(),
    })
    .optional(),
  /** Links to conversations. */
  sharing: z
    .looseObject({
      /** Switched off, no link opens, and none can be made. */
      enabled: z.boolean().optional(),
      /** Whether a link may be for everybody who has it; else for those who are signed in. */
      public: z.boolean().optional(),
    })
    .optional(),
  /** What answers may show. */
  answers: z
    .looseObject({
      /** Hosts whose pictures are loaded when their reader wants it; those of others never are. */
      imageHosts: z.array(imageHostSchema).max(50).optional(),
    })
    .optional(),
  /** Whether pages use the browser's own means of speech, which may send sound or text to its maker. */
  speech: z
    .looseObject({
      /** Dictating a message. */
      input: z.boolean().optional(),
      /** Reading an answer aloud. */
      output: z.boolean().optional(),
    })
    .optional(),
  /** When skills end that are active in conversations nobody goes on with. 0 switches a limit off. */
  activeSkills: z
    .looseObject({
      /** Days after the last message of a conversation. */
      lifetimeDays: z.number().min(0).max(36_500).optional(),
      /** Active at once in all conversations: above it, those end that were used longest ago. */
      maxTotal: z.number().int().min(0).optional(),
    })
    .optional(),
  /** The numbers of how skills are used. */
  analytics: z
    .looseObject({
      /** So long they are kept; 0: there are none. */
      days: z.number().int().min(0).max(3650).optional(),
    })
    .optional(),
  /** Left out, skills are ranked by their words alone. */
  embedder: embedderConfigSchema.optional(),
  /** What the model saw, for each answer. */
  traces: z
    .looseObject({
      /** Days that it is kept; 0: it is not recorded. Left out, the environment's `TRACE_DAYS`. */
      days: z.number().min(0).max(3650).optional(),
    })
    .optional(),
  /** What tools may reach by HTTP: the public internet, and this. */
  outbound: z
    .looseObject({
      /** Hosts and addresses of the local network. */
      allowPrivate: z.array(privateHostSchema).max(1000).optional(),
    })
    .optional(),
});
export type PlatformConfig = z.infer<typeof platformConfigSchema>;
