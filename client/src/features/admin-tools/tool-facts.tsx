import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ListedTool } from './tool-filters.ts';
import classes from './tool-page.module.css';
import { useHintWords } from './use-hint-words.ts';

/** Read-only details of a tool. */
export function ToolFacts({ listed: { tool, source } }: { listed: ListedTool }) {
  const { t } = useTranslation();
  const hintWords = useHintWords();
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('adminTools.source')}</dt>
        <dd>{source.title}</dd>
      </div>
      <div>
        <dt>{t('adminTools.hints')}</dt>
        <dd>
          {hintWords(tool).join(', ')}
          {tool.hints.isAssumed && (
            <p className={classes.noteText}>{t('adminTools.assumedAbout')}</p>
          )}
        </dd>
      </div>
      <div>
        <dt>{t('adminTools.grantedBy')}</dt>
        <dd>
          <Links to="/admin/groups" ids={tool.groups} nothing={t('adminTools.noGroup')} />
        </dd>
      </div>
      <div>
        <dt>{t('adminTools.offeredBy')}</dt>
        <dd>
          <Links to="/admin/apps" ids={tool.apps} nothing={t('adminTools.noApp')} />
        </dd>
      </div>
      <div>
        <dt>{t('adminTools.modelName')}</dt>
        <dd>
          <code>{tool.name}</code>
        </dd>
      </div>
      <div>
        <dt>{t('adminTools.rightName')}</dt>
        <dd>
          <code>{tool.id}</code>
        </dd>
      </div>
      <div>
        <dt>{t('adminTools.digest')}</dt>
        <dd>
          <code title={tool.digest}>{tool.digest.slice(0, 12)}</code>
        </dd>
      </div>
    </dl>
  );
}

function Links({ to, ids, nothing }: { to: string; ids: readonly string[]; nothing: string }) {
  if (ids.length === 0) {
    return nothing;
  }
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <Link to={`${to}/${encodeURIComponent(id)}`}>{id}</Link>
        </li>
      ))}
    </ul>
  );
}
