import type { ContentFault } from '@knowhow/shared/config/health';
import { localize } from '@knowhow/shared/config/localized';
import type { ModelList } from './model-list.ts';

/** What servers of models have shown to be wrong in the files of these. */
export function modelFaults(models: ModelList): ContentFault[] {
  return models
    .all()
    .filter(models.hasRefusedTools)
    .map(({ config }) => ({
      path: `contents/models/${config.id}.json`,
      field: 'supportsTools',
      message: `The server of the model "${localize(config.name, 'en')}" has refused tools. It is asked without them since then, and skills are chosen for it before it answers. Set "supportsTools": false here; or switch tools on in its server, then start Knowhow again.`,
      isUsed: true,
    }));
}
