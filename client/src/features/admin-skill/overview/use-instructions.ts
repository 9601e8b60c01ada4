import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import { useQuery } from '@tanstack/react-query';
import { send } from '../../../api/request.ts';
import { withoutFrontmatter } from '../../../ui/markdown/without-frontmatter.ts';

/** The body of a skill's `SKILL.md`. */
export function useInstructions({ name, checksum, fileList }: AdminSkillDetail) {
  const paths = fileList.map(({ path }) => path);
  const path =
    paths.find((each) => each === 'SKILL.md') ??
    paths.find((each) => each.toLowerCase() === 'skill.md');
  return useQuery({
    queryKey: [adminSkillFilesApi.file.path, 'instructions', name, checksum],
    queryFn: async ({ signal }) => {
      const params = { name, path: path ?? 'SKILL.md' };
      const response = await send(adminSkillFilesApi.file, { params }, { signal });
      return withoutFrontmatter(await response.text());
    },
    enabled: path !== undefined,
  });
}
