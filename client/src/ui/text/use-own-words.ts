import { useTranslation } from 'react-i18next';

interface Named {
  title: string;
  source: string;
}

/** Returns localized titles of a built-in tool and its source; other tools are returned unchanged. */
export function useOwnWords(): (tool: Named) => Named {
  const { t } = useTranslation();
  return ({ title, source }) => {
    const key = ownTitles.get(`${source}/${title}`);
    return {
      title: key === undefined ? title : t(key),
      source: source === 'Scripts' ? t('tool.own.scripts') : source,
    };
  };
}

/** By the server's names of source and tool. */
const titles = [
  ['Knowhow/Current time', 'tool.own.currentTime'],
  ['Knowhow/Calculator', 'tool.own.calculator'],
  ['Knowhow/Ask the user', 'tool.own.askUser'],
  ['Knowhow/Read a web page', 'tool.own.fetchPage'],
  ['Scripts/Run a script', 'tool.own.runScript'],
] as const;
const ownTitles = new Map<string, (typeof titles)[number][1]>(titles);
