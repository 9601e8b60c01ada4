import { isRecord } from '@knowhow/shared/is-record';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { canonicalKey } from '@knowhow/shared/skills/edited-translations';
import { skillFacts } from '@knowhow/shared/skills/skill-fields';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAppNames } from '../../../ui/text/use-app-names.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { skillFilePath } from '../skill-path.ts';
import classes from './skill-facts.module.css';

/** Details of a skill at a glance. */
export function SkillFacts({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { bytes, number, date, relativeDate } = useFormat();
  const { metadata, tokens } = skill;
  const invocation = getInvocationKey(skill);
  return (
    <aside className={classes.facts} aria-label={t('skillPage.facts')}>
      <dl>
        <Fact label={t('skillPage.source')}>{t(sources[skill.source])}</Fact>
        <Fact label={t('skillPage.location')}>
          <code>{skill.location}</code>
        </Fact>
        <Fact label={t('skillPage.specification')}>
          {skill.valid ? t('skillPage.valid') : t('skillPage.notValid')}
        </Fact>
        <Fact label={t('skillPage.lastChange')}>
          <time dateTime={skill.updatedAt} title={date(skill.updatedAt)}>
            {relativeDate(skill.updatedAt)}
          </time>
        </Fact>
        <Fact label={t('skillPage.pinnedApps')}>
          {skill.pins.length > 0 && <PinnedApps pins={skill.pins} />}
        </Fact>
        <Fact label={t('skillPage.size')}>
          {t('skillPage.fileCount', { count: skill.files })}, {bytes(skill.bytes)}
        </Fact>
        <Fact label={t('skillPage.tokens')}>
          {t('skillPage.tokensOfEntry', { tokens: number(tokens.entry) })}
          <br />
          {t('skillPage.tokensOfBody', { tokens: number(tokens.body) })}
        </Fact>
        {skillFacts.map(({ key, label, isCode }) => {
          const text = revealHiddenCharacters([skill[key] ?? []].flat().join(', '));
          return (
            <Fact key={key} label={t(label)}>
              {isCode && text ? (
                <code>{text}</code>
              ) : key === 'license' ? (
                renderLicense(skill, text)
              ) : (
                text
              )}
            </Fact>
          );
        })}
        <Fact label={t('skillPage.author')}>{metadata.author}</Fact>
        <Fact label={t('skillPage.parameters')}>
          {revealHiddenCharacters(parameterNames(metadata.parameters))}
        </Fact>
        <Fact label={t('skillPage.invocation')}>{invocation && t(invocation)}</Fact>
        {Object.entries(metadata)
          .filter(([key]) => !shownElsewhere.has(key) && canonicalKey(key) === undefined)
          .map(([key, value]) => (
            <Fact key={key} label={revealHiddenCharacters(key)}>
              {revealHiddenCharacters(value)}
            </Fact>
          ))}
      </dl>
    </aside>
  );
}

/** The apps that do not follow the published version, each with its version. */
function PinnedApps({ pins }: Pick<AdminSkillDetail, 'pins'>) {
  const { t } = useTranslation();
  const names = useAppNames();
  return pins.map(({ app, version }) => (
    <span key={app} className={classes.line}>
      <Link to={`/admin/apps/${encodeURIComponent(app)}`}>{names.get(app) ?? app}</Link>{' '}
      {t('skillPage.pinnedVersion', { version })}
    </span>
  ));
}

/** Metadata keys that are shown above. */
const shownElsewhere: ReadonlySet<string> = new Set([
  'author',
  'parameters',
  'disable-model-invocation',
  'user-invocable',
  ...skillFacts.flatMap(({ names, isSpecified }) => (isSpecified ? [] : names)),
]);

/** The names in a JSON schema, in a map by name or in a list with names; other values are shown as written. */
function parameterNames(written = ''): string {
  const value = parseOrText(written);
  if (Array.isArray(value)) {
    const names = value.map((each) => (isRecord(each) ? each.name : undefined));
    return names.every((name) => typeof name === 'string') ? names.join(', ') : written;
  }
  if (!isRecord(value)) {
    return written;
  }
  const named = isRecord(value.properties) ? value.properties : value;
  return Object.keys(named).join(', ');
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Links to the license if the text is, or names, a file of the skill, as in "Complete terms in LICENSE.txt". */
function renderLicense(skill: AdminSkillDetail, text: string): ReactNode {
  const words = text.split(/\s+/).map((word) => word.replace(/^\.\/|^[("'`<]+|[)"'`>.,;]+$/g, ''));
  const named = [text, ...words];
  const file = skill.fileList.find(({ path }) => named.includes(path));
  return file ? <Link to={skillFilePath(skill.name, file.path)}>{text}</Link> : text;
}

/** Renders nothing without a value. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  if (!children) {
    return null;
  }
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The restriction on who may activate it; undefined if there is none. */
function getInvocationKey({ userInvocable, modelInvocable }: AdminSkillDetail) {
  if (userInvocable && modelInvocable) {
    return undefined;
  }
  if (userInvocable) {
    return 'skillPage.onlyUser';
  }
  return modelInvocable ? 'skillPage.onlyModel' : 'skillPage.nobodyInvokes';
}

const sources = {
  local: 'skillPage.sourceLocal',
  extra: 'skillPage.sourceExtra',
  builtin: 'skillPage.sourceBuiltin',
  mcp: 'skillPage.sourceMcp',
  plugin: 'skillPage.sourcePlugin',
} as const;
