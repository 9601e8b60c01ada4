import type { ContentIssue } from '@knowhow/shared/config/health';
import { localize } from '@knowhow/shared/config/localized';
import type { ListedModel, ModelList } from './model-list.ts';

/** Issues in the files of models that their servers' responses revealed. */
export function findModelIssues(models: ModelList): ContentIssue[] {
  return models.all().flatMap((model) => {
    const path = `contents/models/${model.config.id}.json`;
    return faultsOf(model, models).map((fault) => ({ path, ...fault, isUsed: true }));
  });
}

function faultsOf(model: ListedModel, models: ModelList): { field: string; message: string }[] {
  const server = `The server of the model "${localize(model.config.name, 'en')}"`;
  const { refusedTools, truncated } = models.observations(model);
  return [
    ...(models.hasRefusedTools(model)
      ? [
          {
            field: 'supportsTools',
            message: `${server} has refused tools. It is asked without them since then, and skills are chosen for it before it answers. Set "supportsTools": false here; or switch tools on in its server, then start Knowhow again.`,
          },
        ]
      : []),
    ...refusedTools.map((name) => ({
      field: 'supportsTools',
      message: `${server} does not accept the parameters of the tool "${name}". That tool is left out of its requests. Switch the tool off at /admin/tools, or correct its schema at its source, then start Knowhow again.`,
    })),
    ...(truncated
      ? [
          {
            field: 'contextWindow',
            message: `${server} counted ${truncated.counted} tokens of a request of about ${truncated.estimated}. It probably cuts off the beginning: instructions, skills and tools. Set "contextWindow" to what the server serves, or let it serve more (Ollama: OLLAMA_CONTEXT_LENGTH).`,
          },
        ]
      : []),
  ];
}
