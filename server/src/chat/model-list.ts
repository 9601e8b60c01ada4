import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { ModelConfig } from '@knowhow/shared/config/models';
import { grants, type Permissions } from '../access/permissions.ts';
import type { Contents } from '../content/contents.ts';
import type { AskModel } from '../models/model.ts';
import { type KeySources, modelKey, type WithheldKey } from '../models/model-key.ts';
import { providerOf } from '../models/providers.ts';

/** A configured model, and whether it can be used. */
export interface ListedModel {
  config: ModelConfig;
  key: string | undefined;
  /** The environment variable that is missing, or its value: such a model is hidden from users. */
  needs: string | undefined;
  /** The key that is there, and is not sent to the model's host. */
  withheld?: WithheldKey | undefined;
}

/** The models that are there at one moment: configured ones and those found running. */
export interface ModelList {
  all(): ListedModel[];
  /** One as it is configured, whether it is switched on or not. */
  of(config: ModelConfig): ListedModel;
  /** The ones somebody may use, in one app or at all; the best to begin with first. */
  usable(permissions: Permissions, app?: AppConfig): ListedModel[];
  /** The same client for the same configuration. */
  open(model: ListedModel): AskModel;
  /** Whether it is offered tools: not where its file or its server says that it takes none. */
  takesTools(model: ListedModel): boolean;
  /** Whether its server has refused tools, though its file does not say so. */
  hasRefusedTools(model: ListedModel): boolean;
  /** Remembers that, until the model's configuration is another one or the process ends. */
  noteRefusedTools(model: ListedModel): void;
  /** Goes up with it. */
  revision(): number;
}

interface Dependencies {
  /** The same object until a key changes. */
  keys: () => KeySources;
  contents: () => Contents;
  /** Models found on this machine. */
  found: () => readonly ModelConfig[];
  openModel: (config: ModelConfig, key: string | undefined) => AskModel;
}

export function createModelList(dependencies: Dependencies): ModelList {
  const { keys } = dependencies;
  let listed = new WeakMap<ModelConfig, ListedModel>();
  let opened = new WeakMap<ModelConfig, AskModel>();
  let revision = 0;
  let known = keys();
  /** What followed from other keys than those of now is forgotten. */
  const follow = () => {
    if (known !== keys()) {
      known = keys();
      listed = new WeakMap();
      opened = new WeakMap();
      revision += 1;
    }
  };
  const listedOnce = (config: ModelConfig) => {
    follow();
    // A turn asks several times, and neither the configuration nor the keys change.
    const model = listed.get(config) ?? listedModel(config, known);
    listed.set(config, model);
    return model;
  };
  // By id, as it was configured then: the same one may be read again.
  const refused = new Map<string, string>();
  const hasRefusedTools = ({ config }: ListedModel) =>
    refused.get(config.id) === JSON.stringify(config);
  const all = () => enabledModels(dependencies).map(listedOnce);
  return {
    all,
    of: listedOnce,
    usable: (permissions, app) =>
      all()
        .filter(
          ({ config, needs }) =>
            needs === undefined &&
            grants(permissions.models, config.id) &&
            (app?.allowedModels === undefined || app.allowedModels.includes(config.id)),
        )
        .sort((one, other) => rank(one, app) - rank(other, app)),
    open: ({ config, key }) => {
      follow();
      const ask = opened.get(config) ?? dependencies.openModel(config, key);
      opened.set(config, ask);
      return ask;
    },
    takesTools: (model) => model.config.supportsTools !== false && !hasRefusedTools(model),
    hasRefusedTools,
    noteRefusedTools: ({ config }) => {
      refused.set(config.id, JSON.stringify(config));
      revision += 1;
    },
    revision: () => {
      follow();
      return revision;
    },
  };
}

/** A model, and whether its key lets it be asked. */
function listedModel(config: ModelConfig, sources: KeySources): ListedModel {
  const found = modelKey(config, sources);
  return found.ready
    ? { config, key: found.key, needs: undefined }
    : { config, key: undefined, needs: found.needs, withheld: found.withheld };
}

function enabledModels({ contents, found }: Dependencies): ModelConfig[] {
  const configured = contents().models;
  const others = found().filter(({ id }) => !configured.has(id));
  return [...configured.values(), ...others].filter(({ enabled }) => enabled !== false);
}

/** The app's choice, then the default, then any language model, then what is none. */
function rank({ config }: ListedModel, app: AppConfig | undefined): number {
  if (config.id === app?.preferredModel) {
    return 0;
  }
  if (providerOf(config).kind === 'built-in') {
    return 3;
  }
  return config.default ? 1 : 2;
}
