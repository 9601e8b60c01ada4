import { z } from 'zod';
import { quotaSchema } from '../access/quotas.ts';
import { oidcAuthSchema, proxyAuthSchema } from '../access/sign-in-config.ts';
import { modelConfigSchema } from './models.ts';

/** An embedding model, at an endpoint like OpenAI's `/v1/embeddings`. */
const embedderConfigSchema = z.looseObject({
  provider: z.enum(['openai', 'mistral', 'local']),
  ...modelConfigSchema.pick({ modelId: true, url: true, apiKeyEnv: true, enabled: true }).shape,
  /** Maximum time that a message waits for its embedding, in milliseconds. */
  maxWaitMs: z.number().int().min(50).max(10_000).default(400),
});
export type EmbedderConfig = z.infer<typeof embedderConfigSchema>;

/**
 * An allowed private host (`mcp.internal`), with or without port, an IP address (IPv6 with port in
 * brackets), or a CIDR range (`10.1.0.0/16`).
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

/** A public host, with or without port. It becomes part of the content security policy. */
const imageHostSchema = z
  .string()
  .max(260)
  .regex(
    /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/i,
    'A host such as "images.example.org", without https:// and without a path.',
  );

/** Groups of guests by default. Unlike groups that the file names, they need not exist. */
export const defaultGuestGroups = ['anonymous'];

/** `contents/config/platform.json`: settings of this installation. Unknown fields are preserved. */
export const platformConfigSchema = z.looseObject({
  /** Anonymous access. By default, `enabled` is true on loopback and false otherwise. */
  anonymousAuth: z
    .looseObject({
      enabled: z.boolean().optional(),
      defaultGroups: z.array(z.string()).optional().meta({ default: defaultGuestGroups }),
    })
    .prefault({}),
  localAuth: z
    .looseObject({
      enabled: z.boolean().default(true),
      /** Duration of a session. */
      sessionTimeoutMinutes: z.number().int().min(1).default(480),
      /** Idle timeout of a session; 0: none. */
      idleTimeoutMinutes: z.number().int().min(0).default(120),
      /** Maximum concurrent sessions per user: the oldest end. */
      maxSessions: z.number().int().min(1).default(50),
      /** Minimum length of new passwords. */
      passwordMinLength: z.number().int().min(8).max(64).default(8),
    })
    .prefault({}),
  /** OpenID Connect providers. */
  oidcAuth: oidcAuthSchema.optional(),
  /** A reverse proxy that authenticates users. */
  proxyAuth: proxyAuthSchema.optional(),
  /** Groups of every signed-in user, in addition to their own. */
  authenticatedGroups: z.array(z.string()).default([]),
  /**
   * Environment variables that `${NAME}` in configuration files may read besides `KNOWHOW_…`. Names
   * that look like secrets are never read.
   */
  placeholders: z.array(z.string()).default([]),
  /**
   * `false`: browsers do not offer to install Knowhow as an app, and delete their caches for it.
   */
  installable: z.boolean().default(true),
  /** Per user, or per address if anonymous; per minute, except for `streams`. 0: no limit. */
  rateLimit: z
    .looseObject({
      requests: z.number().int().min(0).default(1200),
      turns: z.number().int().min(0).default(600),
      failedLogins: z.number().int().min(0).default(10),
      /** Concurrent answers, and the same number of followers. */
      streams: z.number().int().min(0).default(100),
    })
    .prefault({}),
  /** Default quotas, unless groups and keys have their own. */
  quotas: z
    .looseObject({
      /** Per user with an account, including all API keys. */
      user: quotaSchema.default({}),
      /** Per key. */
      key: quotaSchema.default({}),
    })
    .prefault({}),
  /** When an unattended answer is ended. 0: no limit. */
  turns: z
    .looseObject({
      /**
       * Minutes without output of the model; defaults to `TURN_IDLE_MINUTES` of the environment.
       */
      idleMinutes: z.number().min(0).optional(),
      /** Minutes without anyone following it. */
      unreadMinutes: z.number().min(0).default(0),
    })
    .prefault({}),
  /** Titles of conversations after the first answer. */
  titles: z
    .looseObject({
      /** Whether the model of the app generates a title, in a separate short request. */
      byModel: z.boolean().default(false),
    })
    .prefault({}),
  /** Sharing of conversations. */
  sharing: z
    .looseObject({
      /** If false, existing links do not open, and none can be created. */
      enabled: z.boolean().default(true),
      /** Whether links may be public; otherwise readers must be signed in. */
      public: z.boolean().default(false),
    })
    .prefault({}),
  /** Content of answers. */
  answers: z
    .looseObject({
      /** Allowlist of hosts whose pictures are loaded on request. */
      imageHosts: z.array(imageHostSchema).max(50).default([]),
    })
    .prefault({}),
  /**
   * Whether pages use the browser's speech features, which may send sound or text to its vendor.
   */
  speech: z
    .looseObject({
      /** Dictation. */
      input: z.boolean().default(false),
      /** Reading answers aloud. */
      output: z.boolean().default(false),
    })
    .prefault({}),
  /** Expiry of active skills in inactive conversations. 0: no limit. */
  activeSkills: z
    .looseObject({
      /** Days after the last message of a conversation. */
      lifetimeDays: z.number().min(0).max(36_500).default(90),
      /** Maximum number of active skills in all conversations: the least recently used ones end. */
      maxTotal: z.number().int().min(0).default(100_000),
    })
    .prefault({}),
  /** Usage analytics. */
  analytics: z
    .looseObject({
      /** Retention in days; 0: nothing is recorded. */
      days: z.number().int().min(0).max(3650).default(400),
    })
    .prefault({}),
  /** If omitted, skills are ranked by words only. */
  embedder: embedderConfigSchema.optional(),
  /** Traces: what the model saw for each answer. */
  traces: z
    .looseObject({
      /** Retention in days; 0: nothing is recorded. Defaults to `TRACE_DAYS` of the environment. */
      days: z.number().min(0).max(3650).optional(),
    })
    .prefault({}),
  /** Destinations that tools may reach over HTTP, besides the public internet. */
  outbound: z
    .looseObject({
      /** Hosts and addresses in private networks. */
      allowPrivate: z.array(privateHostSchema).max(1000).default([]),
    })
    .prefault({}),
});
export type PlatformConfig = z.infer<typeof platformConfigSchema>;

/** The settings of an empty file. */
export const defaultPlatform = platformConfigSchema.parse({});
