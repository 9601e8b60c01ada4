import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { itemIdSchema } from './item-id.ts';
import { localizedSchema } from './localized.ts';

/** An app, group, model or prompt as it is in its file: placeholders are not filled. */
export const configItemSchema = z.object({
  id: z.string(),
  /** The file, such as `contents/apps/chat.json`. */
  path: z.string(),
  /** Missing when the file is not JSON. */
  config: z.record(z.string(), z.unknown()).optional(),
  /** The text of the item; the whole file's when it is not JSON. */
  text: z.string(),
  /** What `If-Match` takes. */
  checksum: z.string(),
  /** Why it is not used; its last good state, where there was one, is active. */
  fault: z.object({ field: z.string().optional(), message: z.string() }).optional(),
});
export type ConfigItem = z.infer<typeof configItemSchema>;

export const configKinds = ['apps', 'groups', 'models', 'prompts'] as const;
export type ConfigKind = (typeof configKinds)[number];

const id = z.strictObject({ id: itemIdSchema });

function contractsOf(kind: ConfigKind, one: string) {
  const forAdmins = (summary: string) => ({ access: 'admin' as const, summary });
  return {
    list: endpoint({
      ...forAdmins(`Every ${one}, as it is in its file`),
      method: 'GET',
      path: `/api/admin/${kind}`,
      query: pageQuery,
      response: listOf(configItemSchema),
    }),
    get: endpoint({
      ...forAdmins(`One ${one}`),
      method: 'GET',
      path: `/api/admin/${kind}/:id`,
      params: id,
      response: configItemSchema,
    }),
    put: endpoint({
      ...forAdmins(
        `Writes ${/^a/.test(one) ? 'an' : 'a'} ${one}, new or in place of what is there; fields we do not know are kept`,
      ),
      method: 'PUT',
      path: `/api/admin/${kind}/:id`,
      params: id,
      body: z.record(z.string(), z.unknown()),
      response: configItemSchema,
    }),
    remove: endpoint({
      ...forAdmins(`Deletes ${/^a/.test(one) ? 'an' : 'a'} ${one}`),
      method: 'DELETE',
      path: `/api/admin/${kind}/:id`,
      params: id,
      response: z.void(),
    }),
  };
}

export const adminAppsApi = contractsOf('apps', 'app');
export const adminGroupsApi = contractsOf('groups', 'group');
export const adminPromptsApi = contractsOf('prompts', 'prompt');
export const adminModelsApi = {
  ...contractsOf('models', 'model'),
  /** What there is to know beside the file. */
  states: endpoint({
    access: 'admin',
    summary: 'Which models can be used, also those found running on this machine',
    method: 'GET',
    path: '/api/admin/model-states',
    query: pageQuery,
    response: listOf(
      z.object({
        id: z.string(),
        /** The environment variable that is missing, or that and the value it lacks. */
        needs: z.string().optional(),
        /** There is a key, but it is not sent to the model's host. */
        withheld: z
          .object({
            /** The environment variable that holds it. */
            variable: z.string(),
            /** As `MODEL_HOSTS` takes it. */
            host: z.string(),
          })
          .optional(),
        /** Its server has refused tools since Knowhow was started, though its file does not say so. */
        refusesTools: z.boolean().optional(),
        /** Found on this machine, without a file. */
        found: z.boolean(),
      }),
    ),
  }),
  providers: endpoint({
    access: 'admin',
    summary: 'The providers that a model may name',
    method: 'GET',
    path: '/api/admin/model-providers',
    query: pageQuery,
    response: listOf(
      z.object({
        /** What a model's file says in `provider`. */
        id: z.string(),
        label: localizedSchema,
      }),
    ),
  }),
  test: endpoint({
    access: 'admin',
    summary: 'Tests a model with a short request, and reports the result',
    method: 'POST',
    path: '/api/admin/models/:id/test',
    params: id,
    response: z.object({
      works: z.boolean(),
      /** Until the first word, or the failure. */
      milliseconds: z.number().int(),
      answer: z.string().optional(),
      /** What went wrong and what to do, in a sentence. */
      message: z.string().optional(),
      /** What its provider said of it, without key and address. */
      reason: z.string().optional(),
    }),
  }),
};
