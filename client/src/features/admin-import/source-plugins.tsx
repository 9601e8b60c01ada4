import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import type { SourceModel, SourcePlugin } from '@knowhow/shared/skills/skill-origin';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { Expander } from '../../ui/layout/expander.tsx';
import { UnsupportedParts } from '../../ui/layout/unsupported-parts.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import classes from './source-plugins.module.css';

/** The plugins of an archive: their number of skills, and the parts without effect here. */
export function SourcePlugins({ plugins }: { plugins: readonly SourcePlugin[] }) {
  const { t } = useTranslation();
  return plugins.map(({ name, folder, skills, left, models = [] }) => (
    <Expander
      key={`${folder} ${name}`}
      summary={
        models.length > 0
          ? t('skillImport.models', { name: revealHiddenCharacters(name), count: models.length })
          : t('skillImport.plugin', { name: revealHiddenCharacters(name), count: skills })
      }
    >
      {models.map((model) => (
        <OfferedModel key={model.id} model={model} />
      ))}
      {left.length > 0 ? (
        <UnsupportedParts left={left} />
      ) : (
        models.length === 0 && <p>{t('skillImport.pluginWhole')}</p>
      )}
    </Expander>
  ));
}

/** A model that an admin may add, switched off; an existing one is not changed. */
function OfferedModel({ model }: { model: SourceModel }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { id, provider, modelId, apiKeyEnv } = model;
  const known = useQuery({
    ...query(adminModelsApi.get, { params: { id } }),
    retry: false,
  });
  const add = useMutation({
    mutationFn: () => call(adminModelsApi.put, { params: { id }, body: model }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  const facts = [provider, modelId, apiKeyEnv].filter((fact) => fact !== undefined);
  return (
    <>
      <p className={classes.model}>
        <span>
          <strong>{id}</strong> · {revealHiddenCharacters(facts.join(' · '))}
        </span>
        {known.data ? (
          <span>{t(add.isSuccess ? 'skillImport.modelAdded' : 'skillImport.modelThere')}</span>
        ) : (
          <Button
            size="xs"
            variant="default"
            aria-label={t('skillImport.addModelNamed', { id })}
            loading={add.isPending}
            disabled={known.isPending}
            onClick={() => add.mutate()}
          >
            {t('skillImport.addModel')}
          </Button>
        )}
      </p>
      {add.error && <ErrorNote error={add.error} />}
    </>
  );
}
