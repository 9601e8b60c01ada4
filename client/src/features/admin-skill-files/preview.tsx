import { type MouseEvent, Suspense, useDeferredValue, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../../ui/layout/scrolling-group.tsx';
import { Markdown } from '../../ui/markdown/lazy-markdown.tsx';
import { type MarkdownBase, MarkdownBaseContext } from '../../ui/markdown/markdown-base.ts';
import { withoutFrontmatter } from '../../ui/markdown/without-frontmatter.ts';
import type { EditedSkill } from './draft/edited-skill.ts';
import classes from './preview.module.css';
import { skillFileUrl } from './saved-file.tsx';
import { folderOf } from './tree/file-rows.ts';

/** Longer texts would make typing slow. */
const longest = 200_000;

interface PreviewProps {
  skill: EditedSkill;
  path: string;
  text: string;
  /** Called with the path of another file when the user follows a link to it. */
  onFollow: (path: string) => void;
}

/** Whether a file has a preview. */
export function hasPreview(path: string): boolean {
  return /\.(md|markdown|svg)$/i.test(path);
}

/** A live preview of a text. */
export function Preview({ skill, path, text, onFollow }: PreviewProps) {
  const { t } = useTranslation();
  const shown = useDeferredValue(text);
  const pages = `/admin/skills/${encodeURIComponent(skill.name)}/files/`;
  const base = useMemo(() => createBase(skill, folderOf(path), pages), [skill, path, pages]);

  function onClick(event: MouseEvent) {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (isPlain && link?.pathname.startsWith(pages)) {
      event.preventDefault();
      onFollow(decodeURIComponent(link.pathname.slice(pages.length)));
    }
  }

  return (
    <ScrollingGroup className={classes.preview} label={t('skillFiles.preview')}>
      {shown.length > longest ? (
        <p className={classes.long}>{t('skillFiles.previewLong')}</p>
      ) : (
        <div onClickCapture={onClick}>
          <MarkdownBaseContext value={base}>
            <Suspense>
              <Content path={path} text={shown} />
            </Suspense>
          </MarkdownBaseContext>
        </div>
      )}
    </ScrollingGroup>
  );
}

function Content({ path, text }: { path: string; text: string }) {
  if (path.toLowerCase().endsWith('.svg')) {
    // As an image it can neither run nor load anything.
    return <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`} alt={path} />;
  }
  return <Markdown text={withoutFrontmatter(text)} streaming={false} />;
}

/** Relative links are resolved against the text's folder, then against the skill's: authors write both. */
function createBase(skill: EditedSkill, folder: string, pages: string): MarkdownBase {
  function find(path: string): string {
    const below = `${folder}/${path}`;
    return skill.fileList.some((file) => file.path === below) ? below : path;
  }
  const { draft: _, ...published } = skill;
  return {
    link: (path) => pages + find(path).split('/').map(encodeURIComponent).join('/'),
    // Files of drafts are downloads: the preview shows published pictures.
    picture: (path) => skillFileUrl(published, find(path)),
  };
}
