import { z } from 'zod';
import type { Seal } from '../../../../platform/lib/seal.ts';
import { sha256 } from '../../../../platform/lib/sha256.ts';
import type { Database } from '../../../../platform/storage/open-database.ts';

/** Our client at an issuer. */
const clientSchema = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  token_endpoint_auth_method: z.string().optional(),
  /** Seconds since 1970; 0: never. */
  client_secret_expires_at: z.number().optional(),
  /** Registered scopes; undefined if none were specified. */
  scope: z.string().optional(),
});
export type OAuthClient = z.infer<typeof clientSchema>;

const pendingSchema = z.object({
  serverUrl: z.string(),
  issuer: z.string(),
  /** Whether the issuer sends `iss` with the code (RFC 9207). */
  saysIssuer: z.boolean(),
  metadata: z.record(z.string(), z.unknown()),
  resource: z.string(),
  /** Requested scopes. */
  scope: z.string().optional(),
  client: clientSchema,
  redirectUrl: z.string(),
  verifier: z.string(),
});
/** A pending sign-in with everything the code exchange needs. Deleted on completion. */
export type PendingSignIn = z.infer<typeof pendingSchema>;

const tokensSchema = z.object({
  serverUrl: z.string(),
  resource: z.string(),
  client: clientSchema,
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  scope: z.string().optional(),
  /** Additional scopes the server has requested, for the next sign-in. */
  wanted: z.string().optional(),
  /** Milliseconds since 1970, by our clock; omitted if the issuer does not say. */
  expiresAt: z.number().optional(),
  /** Lifetime in milliseconds. */
  lifetime: z.number().optional(),
});
export type StoredTokens = z.infer<typeof tokensSchema>;

export interface Connection {
  server: string;
  issuer: string;
  /**
   * `refused`: must sign in again; `limited`: can sign in again for scopes the server has requested
   * since.
   */
  status: 'signed-in' | 'refused' | 'limited';
  since: string;
}

type Owner = { user: string; server: string };

const pendingMs = 10 * 60_000;
const maxPending = 20;

/**
 * Persisted sign-ins, with secrets encrypted. Entries that cannot be decrypted count as missing.
 */
export function createOAuthStore(database: Database, seal: Seal) {
  const box = sealedJson(seal);
  return {
    ...pendingRows(database, box),
    ...tokenRows(database, box),
    ...clientRows(database, box),
  };
}

export type OAuthStore = ReturnType<typeof createOAuthStore>;

type SealedJson = ReturnType<typeof sealedJson>;

function sealedJson({ seal, open }: Seal) {
  const read = <Schema extends z.ZodType>(schema: Schema, sealed: string, owner: string) => {
    const text = open(sealed, owner);
    const parsed = text === undefined ? undefined : schema.safeParse(JSON.parse(text));
    return parsed?.success ? (parsed.data as z.output<Schema>) : undefined;
  };
  return { read, write: (value: object, owner: string) => seal(JSON.stringify(value), owner) };
}

function pendingRows(database: Database, { read, write }: SealedJson) {
  return {
    begin: async (state: string, { user, server }: Owner, pending: PendingSignIn) => {
      await dropOldPending(database, user);
      const details = write(pending, ownerOf('sign-in', user, server));
      const expires_at = new Date(Date.now() + pendingMs).toISOString();
      const row = { state: digestOf(state), user_id: user, server, expires_at, details };
      await database.insertInto('mcp_sign_ins').values(row).execute();
    },
    /** Single use, and only by the user who started it. */
    take: async (state: string, user: string) => {
      const row = await database
        .deleteFrom('mcp_sign_ins')
        .where('state', '=', digestOf(state))
        .where('user_id', '=', user)
        .returningAll()
        .executeTakeFirst();
      if (!row || row.expires_at < new Date().toISOString()) {
        return undefined;
      }
      const pending = read(pendingSchema, row.details, ownerOf('sign-in', user, row.server));
      return pending && { server: row.server, ...pending };
    },
  };
}

function tokenRows(database: Database, { read, write }: SealedJson) {
  return {
    /** Tokens of the last sign-in. */
    tokens: async ({ user, server }: Owner) => {
      const row = await database
        .selectFrom('mcp_tokens')
        .selectAll()
        .where('user_id', '=', user)
        .where('server', '=', server)
        .where('status', '=', 'signed-in')
        .orderBy('updated_at', 'desc')
        .executeTakeFirst();
      const tokens =
        row && read(tokensSchema, row.details, ownerOf('tokens', user, server, row.issuer));
      return row && tokens && { issuer: row.issuer, ...tokens };
    },
    keepTokens: async ({ user, server }: Owner, issuer: string, tokens: StoredTokens) => {
      const now = new Date().toISOString();
      const details = write(tokens, ownerOf('tokens', user, server, issuer));
      const changed = { status: 'signed-in' as const, details, updated_at: now };
      await database
        .insertInto('mcp_tokens')
        .values({ user_id: user, server, issuer, created_at: now, ...changed })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'server', 'issuer']).doUpdateSet(changed),
        )
        .execute();
    },
    /** Deletes the tokens but keeps a record that there was a sign-in. */
    refuse: async ({ user, server }: Owner, issuer: string) => {
      await database
        .updateTable('mcp_tokens')
        .set({ status: 'refused', details: '', updated_at: new Date().toISOString() })
        .where('user_id', '=', user)
        .where('server', '=', server)
        .where('issuer', '=', issuer)
        .execute();
    },
    /** @param except an issuer whose tokens are kept */
    removeTokens: async ({ user, server }: Owner, except = '') => {
      await database
        .deleteFrom('mcp_tokens')
        .where('user_id', '=', user)
        .where('server', '=', server)
        .where('issuer', '!=', except)
        .execute();
    },
    list: (user: string) => listConnections(database, user, read),
  };
}

async function listConnections(
  database: Database,
  user: string,
  read: SealedJson['read'],
): Promise<Connection[]> {
  const rows = await database
    .selectFrom('mcp_tokens')
    .select(['server', 'issuer', 'status', 'created_at as since', 'details'])
    .where('user_id', '=', user)
    .orderBy('server')
    .execute();
  return rows.map(({ details, ...row }) => {
    const tokens = read(tokensSchema, details, ownerOf('tokens', user, row.server, row.issuer));
    return { ...row, status: tokens?.wanted === undefined ? row.status : 'limited' };
  });
}

function clientRows(database: Database, { read, write }: SealedJson) {
  return {
    client: async (issuer: string, redirectUrl: string) => {
      const row = await database
        .selectFrom('mcp_clients')
        .select('details')
        .where('issuer', '=', issuer)
        .where('redirect_url', '=', redirectUrl)
        .executeTakeFirst();
      return row && read(clientSchema, row.details, ownerOf('client', issuer, redirectUrl));
    },
    keepClient: async (issuer: string, redirectUrl: string, client: OAuthClient) => {
      const details = write(client, ownerOf('client', issuer, redirectUrl));
      const created_at = new Date().toISOString();
      await database
        .insertInto('mcp_clients')
        .values({ issuer, redirect_url: redirectUrl, details, created_at })
        .onConflict((conflict) =>
          conflict.columns(['issuer', 'redirect_url']).doUpdateSet({ details, created_at }),
        )
        .execute();
    },
    /** Deletes a registration that its issuer no longer knows. */
    forgetClient: async (issuer: string, { client_id }: OAuthClient) => {
      const rows = await database
        .selectFrom('mcp_clients')
        .selectAll()
        .where('issuer', '=', issuer)
        .execute();
      for (const { redirect_url, details } of rows) {
        const client = read(clientSchema, details, ownerOf('client', issuer, redirect_url));
        if (!client || client.client_id === client_id) {
          await database
            .deleteFrom('mcp_clients')
            .where('issuer', '=', issuer)
            .where('redirect_url', '=', redirect_url)
            .execute();
        }
      }
    },
  };
}

/** Deletes expired sign-ins, and the oldest if there are too many. */
async function dropOldPending(database: Database, user: string): Promise<void> {
  const now = new Date().toISOString();
  await database.deleteFrom('mcp_sign_ins').where('expires_at', '<', now).execute();
  await database
    .deleteFrom('mcp_sign_ins')
    .where('user_id', '=', user)
    .where('state', 'not in', (own) =>
      own
        .selectFrom('mcp_sign_ins')
        .select('state')
        .where('user_id', '=', user)
        .orderBy('expires_at', 'desc')
        .limit(maxPending - 1),
    )
    .execute();
}

function digestOf(state: string): string {
  return sha256(state, 'base64url');
}

function ownerOf(...parts: string[]): string {
  return JSON.stringify(parts);
}
