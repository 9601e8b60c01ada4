import { z } from 'zod';
import { uploadEndpoint } from '../endpoint.ts';
import { adminDiagnosticSchema } from './admin-skill.ts';
import { fileChangeSchema } from './file-changes.ts';
import { leftOutSchema } from './left-out.ts';
import { checkResultsSchema, writeQuery } from './publication-checks.ts';
import { skillOriginSchema, sourcePluginSchema } from './skill-origin.ts';
import { diagnosticSchema, saidSchema } from './skills.ts';

/** The content of an archive, before anything is written. */
export const skillReportSchema = z.object({
  /** The id it would get. */
  name: z.string(),
  /** The folder in the archive, '' for its root, for `select` and `rename`. */
  folder: z.string(),
  displayName: z.string(),
  description: z.string(),
  /** Accepted without changes. */
  accepted: z.boolean(),
  /** A new name would make it acceptable. */
  renamable: z.boolean(),
  valid: z.boolean(),
  /** Why it is rejected, and other diagnostics. */
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
  /** Required checks that stop the import under this name, unless a publisher overrides them; omitted if all pass. */
  checks: checkResultsSchema.optional(),
  /** The policy requires a review, so the skill is not imported. */
  needsReview: z.literal(true).optional(),
  bytes: z.number().int(),
  tokens: z.object({ entry: z.number().int(), body: z.number().int() }),
  /** Source of the conversion, if it was not a skill of the specification. */
  origin: skillOriginSchema.optional(),
  /** An existing skill with this name, and the differences of the new one. */
  conflict: z
    .object({
      location: z.string(),
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
  format: z.enum(['zip', 'tar.gz', 'json', 'skill.md', 'installed', 'git']),
  skills: z.array(skillReportSchema),
  /** Files that belong to no skill, such as `__MACOSX/`, and why. */
  leftOut: z.array(leftOutSchema),
  /** Plugins in the archive. */
  plugins: z.array(sourcePluginSchema).optional(),
  /**
   * Refers to the uploaded archive in `import`, once and for at most ten minutes; then
   * `upload-expired`. Omitted if nothing was uploaded, or if it is too large for the cache.
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
      /** Disabled until an admin enables it. */
      off: z.boolean().optional(),
      /** Automatic fixes, and other diagnostics. */
      diagnostics: z.array(diagnosticSchema),
    }),
  ),
  leftOut: z.array(leftOutSchema),
});
export type Installed = z.infer<typeof installedSchema>;

/** Maximum size of an uploaded archive, in bytes: a repository whose files are already compressed. */
export const maxSkillUpload = 512 * 1024 * 1024;

const names = z
  .string()
  .max(20_000)
  .transform((text) => text.split(',').filter((name) => name !== ''));

const summary = (text: string) => ({ access: 'admin' as const, summary: text });

export const skillArchivesApi = {
  upload: uploadEndpoint({
    ...summary('Installs the skills of an archive; fails if a name is taken'),
    method: 'POST',
    path: '/api/admin/skills/upload',
    maxBytes: maxSkillUpload,
    query: writeQuery,
    response: installedSchema,
  }),
  import: uploadEndpoint({
    ...summary(
      'Installs selected skills of an archive, renamed or replacing others; also accepts the `{token}` of `validate`, with lists `select` and `rename`',
    ),
    method: 'POST',
    path: '/api/admin/skills/import',
    maxBytes: maxSkillUpload,
    query: writeQuery.extend({
      /** Exactly `true`: skills with the same name are replaced. */
      overwrite: z.string().optional(),
      /** Names or folders to install, separated by commas; default: all. */
      select: names.optional(),
      /** `folder:new-name`, separated by commas. */
      rename: names.optional(),
    }),
    response: installedSchema,
  }),
  validate: uploadEndpoint({
    ...summary('Dry run: validates an archive, or the installed skill `{name}`'),
    method: 'POST',
    path: '/api/admin/skills/validate',
    maxBytes: maxSkillUpload,
    query: z.strictObject({
      /** The folder of a bare `SKILL.md`. */
      folder: z.string().max(300).optional(),
    }),
    response: archiveReportSchema,
  }),
};
