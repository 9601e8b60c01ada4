import { z } from 'zod';
import { scriptKinds } from './runner.ts';

/** The wire format between a remote runner and its clients: JSON, with bytes in base64. */

const bytes = z.string().transform((text): Uint8Array => Buffer.from(text, 'base64'));
const file = z.object({ path: z.string().max(1000), bytes, executable: z.boolean().optional() });
/** A skill, optionally with the program that runs its tool. */
const skillId = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}\p{M}-]{0,63}(?:\.tool)?$/u);
const checksum = z.string().regex(/^[0-9a-f]{64}$/);

export const stateSchema = z.object({
  /** Version of this wire format. */
  version: z.literal(1),
  runtimes: z.partialRecord(z.enum(scriptKinds), z.string()),
  /** Cached copies, with the current checksum of their files. */
  skills: z.array(z.object({ id: z.string(), checksum: z.string() })),
});
export type RemoteState = z.infer<typeof stateSchema>;

export const copySchema = z.object({ id: skillId, checksum, files: z.array(file).max(5000) });

export const runSchema = z.object({
  kind: z.enum(scriptKinds),
  skill: z.object({ id: skillId, checksum }),
  script: z.string().max(1000),
  args: z.array(z.string()).max(1000),
  stdin: z.string().optional(),
  files: z.array(file).max(1000).optional(),
  limits: z.record(z.string(), z.number().positive()).optional(),
});

export const resultSchema = z.object({
  end: z.enum(['exit', 'time', 'memory', 'output', 'stopped']),
  exitCode: z.number().int().nullable(),
  signal: z.string().optional(),
  stdout: z.string(),
  stderr: z.string(),
  files: z.array(z.object({ path: z.string(), bytes })).max(1000),
  leftOut: z.array(
    z.object({ path: z.string(), why: z.enum(['name', 'kind', 'too large', 'too many']) }),
  ),
  ms: z.number(),
});

/** `no-copy`: the skill has to be uploaded first. */
export const refusalSchema = z.object({
  code: z.enum(['no-copy', 'failed', 'invalid', 'unauthorized', 'not-found']),
  message: z.string(),
});

/** Encodes a file for the wire. */
export function packFile<File extends { bytes: Uint8Array }>(
  file: File,
): Omit<File, 'bytes'> & { bytes: string } {
  return { ...file, bytes: Buffer.from(file.bytes).toString('base64') };
}
