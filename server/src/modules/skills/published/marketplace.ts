import { sha256 } from '../../../platform/lib/sha256.ts';

/** A skill of the repository. */
interface ListedSkill {
  id: string;
  category?: string | undefined;
}

const uncategorised = 'general';

/**
 * `.claude-plugin/marketplace.json`: one plugin for each category, sorted by name. Its skills are folders of the
 * repository, so that the plugins need no files of their own.
 */
export function writeMarketplace(skills: readonly ListedSkill[]): string {
  const plugins = [...groupByPlugin(skills)].sort(([one], [other]) => (one < other ? -1 : 1));
  const marketplace = {
    name: 'knowhow',
    owner: { name: 'Knowhow' },
    metadata: { description: 'Agent Skills of this organisation that you may use' },
    plugins: plugins.map(([name, { title, ids }]) => ({
      name,
      description: `${title} (${ids.length} ${ids.length === 1 ? 'skill' : 'skills'})`,
      source: './',
      strict: false,
      category: name,
      skills: ids.sort().map((id) => `./skills/${id}`),
    })),
  };
  return `${JSON.stringify(marketplace, null, 2)}\n`;
}

interface Plugin {
  title: string;
  ids: string[];
}

/** The smallest spelling of a category is its title, so that the order of the skills does not matter. */
function groupByPlugin(skills: readonly ListedSkill[]): Map<string, Plugin> {
  const plugins = new Map<string, Plugin>();
  for (const { id, category } of skills) {
    const title = category?.trim() || 'General';
    const name = category?.trim() ? getPluginName(category.trim()) : uncategorised;
    const plugin = plugins.get(name) ?? { title, ids: [] };
    plugin.title = title < plugin.title ? title : plugin.title;
    plugin.ids.push(id);
    plugins.set(name, plugin);
  }
  return plugins;
}

const maxNameLength = 64;

/** Lower-case letters `a` to `z`, digits and single hyphens. A category without any gets a name of its digest. */
function getPluginName(category: string): string {
  const name = category
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxNameLength)
    .replace(/^-+|-+$/g, '');
  return name || `category-${sha256(category).slice(0, 8)}`;
}

/** The README of a repository. */
export function writeReadme(count: number): string {
  const skills = count === 1 ? 'the skill' : `the ${count} skills`;
  return `# Skills

This repository has ${skills} that you may use, each in a folder below \`skills/\`. It is generated and read-only: edit
skills in Knowhow.

Each change replaces the only commit. Set \`git config pull.rebase true\` once. Then \`git pull\` gets changes, and removes
what was withdrawn.

Claude Code reads it as a marketplace with one plugin for each category.
`;
}
