import { z } from 'zod';
import { deprecatedAlias } from '../deprecated-alias.ts';
import { uploadEndpoint } from '../endpoint.ts';
import { adminDiagnosticSchema } from './admin-skill.ts';
import { fileChangeSchema } from './file-changes.ts';
import { leftOutSchema } from './left-out.ts';
import { skillOriginSchema, sourcePluginSchema } from './skill-origin.ts';
import { diagnosticSchema, saidSchema } from './skills.ts';

/** What an archive holds, before anything is written. */
export const skillReportSchema = z.object({
  /** The id it would get. */
  name: z.string(),
  /** The folder in the archive, '' for its root: what `select` and `rename` take. */
  folder: z.string(),
  place: deprecatedAlias('folder'),
  displayName: z.string(),
  description: z.string(),
  /** Would be taken as it is. */
  accepted: z.boolean(),
  /** A new name alone would make it acceptable. */
  renamable: z.boolean(),
  valid: z.boolean(),
  /** Why it is refused, and what else there is to say. */
  diagnostics: z.array(adminDiagnosticSchema),
  files: z.array(
    z.object({
      path: z.string(),
      size: z.number().int(),
      executable: z.boolean(),
      script: z.boolean(),
      diagnostics: z.array(
        saidSchema.extend({ code: z.string(), line: z.number().int().optional() }),
      ),
    }),
  ),
  bytes: z.number().int(),
  tokens: z.object({ entry: z.number().int(), body: z.number().int() }),
  /** What it was made from, where that was no skill as the specification has it. */
  origin: skillOriginSchema.optional(),
  /** There is a skill with this name already, and how the new one differs from it. */
  conflict: z
    .object({
      location: z.string(),
      place: deprecatedAlias('location'),
      writable: z.boolean(),
      description: z.string(),
      updatedAt: z.string(),
      files: z.number().int(),
      bytes: z.number().int(),
      changes: z.array(fileChangeSchema),
    })
    .optional(),
});
export type SkillReport = z.infer<typeof skillReportSchema>;

export const archiveReportSchema = z.object({
  format: z.enum(['zip', 'tar.gz', 'json', 'skill.md', 'installed']),
  skills: z.array(skillReportSchema),
  /** Files that are in no skill, such as `__MACOSX/`, and why. */
  leftOut: z.array(leftOutSchema),
  /** Plugins in it that bring skills. */
  plugins: z.array(sourcePluginSchema).optional(),
  /**
   * Stands for the archive at `import`, once and for ten minutes at most; `upload-expired` afterwards. Not
   * there when nothing was uploaded, or when it is too large to be kept.
   */
  token: z.string().optional(),
});
export type ArchiveReport = z.infer<typeof archiveReportSchema>;

export const installedSchema = z.object({
  installed: z.array(
    z.object({
      name: z.string(),
      action: z.enum(['created', 'replaced', 'unchanged']),
      files: z.number().int(),
      bytes: z.number().int(),
      checksum: z.string(),
      /** It is switched off until an admin switches it on. */
      off: z.boolean().optional(),
      /** What was fixed on the way in, and what else there is to say. */
      diagnostics: z.array(diagnosticSchema),
    }),
  ),
  leftOut: z.array(leftOutSchema),
});
export type Installed = z.infer<typeof installedSchema>;

/** Size of an uploaded archive, in bytes. */
export const maxSkillUpload = 32 * 1024 * 1024;

const names = z
  .string()
  .max(20_000)
  .transform((text) => text.split(',').filter((name) => name !== ''));

const summary = (text: string) => ({ access: 'admin' as const, summary: text });

export const skillArchivesApi = {
  upload: uploadEndpoint({
    ...summary('Installs what an archive holds; refused when a name is taken'),
    method: 'POST',
    path: '/api/admin/skills/upload',
    maxBytes: maxSkillUpload,
    response: installedSchema,
  }),
  import: uploadEndpoint({
    ...summary(
      'Installs chosen skills of an archive, under new names or in place of others; takes `{token}` of `validate` too',
    ),
    method: 'POST',
    path: '/api/admin/skills/import',
    maxBytes: maxSkillUpload,
    query: z.strictObject({
      /** Exactly `true`: skills of the same name are replaced. */
      overwrite: z.string().optional(),
      /** Names or folders of those to take, with commas between; all when left out. */
      select: names.optional(),
      /** `folder:new-name`, with commas between. */
      rename: names.optional(),
    }),
    response: installedSchema,
  }),
  validate: uploadEndpoint({
    ...summary('What an archive holds, or `{name}` of an installed skill; writes nothing'),
    method: 'POST',
    path: '/api/admin/skills/validate',
    maxBytes: maxSkillUpload,
    query: z.strictObject({
      /** The folder a bare `SKILL.md` is in. */
      folder: z.string().max(300).optional(),
    }),
    response: archiveReportSchema,
  }),
};
