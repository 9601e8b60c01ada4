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
  /** Remembers in the same way that its server has refused the schema of one tool. */
  noteRefusedTool(model: ListedModel, name: string): void;
  /**
   * Compares what its server counted of a request with what was sent, in tokens. Far fewer mean that the server cut off
   * the beginning; that is remembered until a request as long is counted whole.
   */
  noteTokens(model: ListedModel, tokens: TokenCount): void;
  /** The faults that its server has shown. */
  observations(model: ListedModel): ModelObservations;
  /** Goes up with what its server refuses. */
  revision(): number;
}

interface TokenCount {
  /** Tokens that were sent, by our own estimate. */
  estimated: number;
  counted: number;
}

export interface ModelObservations {
  /** Names of tools that are left out of its requests. */
  refusedTools: readonly string[];
  truncated?: TokenCount | undefined;
}

/** Estimates are off by a third at most, and images more: a cut is told from that by both of these. */
const truncatedShare = 2;
const truncatedTokens = 2000;
const maxRefusedTools = 20;

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
  let opened = new Map<string, { config: ModelConfig; written: string; ask: AskModel }>();
  let revision = 0;
  let known = keys();
  /** What followed from other keys than those of now is forgotten. */
  const follow = () => {
    if (known !== keys()) {
      known = keys();
      listed = new WeakMap();
      opened = new Map();
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
  // By id as well, and as it was configured.
  const observed = new Map<
    string,
    { config: string; tools: Set<string>; truncated?: TokenCount }
  >();
  const observedOf = ({ config }: ListedModel) => {
    const written = JSON.stringify(config);
    const known = observed.get(config.id);
    const now = known?.config === written ? known : { config: written, tools: new Set<string>() };
    observed.set(config.id, now);
    return now as { tools: Set<string>; truncated?: TokenCount | undefined };
  };
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
      const known = opened.get(config.id);
      if (known?.config === config) {
        return known.ask;
      }
      // A file that was read again and says the same keeps its client, and what that has learned of its server.
      const written = JSON.stringify(config);
      const ask = known?.written === written ? known.ask : dependencies.openModel(config, key);
      opened.set(config.id, { config, written, ask });
      return ask;
    },
    takesTools: (model) => model.config.supportsTools !== false && !hasRefusedTools(model),
    hasRefusedTools,
    noteRefusedTools: ({ config }) => {
      refused.set(config.id, JSON.stringify(config));
      revision += 1;
    },
    noteRefusedTool: (model, name) => {
      const { tools } = observedOf(model);
      if (tools.size < maxRefusedTools) {
        tools.add(name);
      }
    },
    noteTokens: (model, tokens) => {
      const { estimated, counted } = tokens;
      const known = observedOf(model);
      if (counted > 0 && estimated > truncatedShare * counted + truncatedTokens) {
        known.truncated = tokens;
      } else if (known.truncated && counted > truncatedShare * known.truncated.counted) {
        known.truncated = undefined;
      }
    },
    observations: (model) => {
      const { tools, truncated } = observedOf(model);
      return { refusedTools: [...tools], truncated };
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
