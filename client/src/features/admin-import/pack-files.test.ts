import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { SelectedFile } from '../../ui/files/selected-files.ts';
import { mixesArchives, packFiles, totalBytes } from './pack-files.ts';

const selected = (path: string, text = 'x'): SelectedFile => ({
  path,
  file: new File([text], path.split('/').at(-1) ?? ''),
});

describe('packFiles', () => {
  it('sends a single file unchanged', async () => {
    const only = selected('skills.zip');
    expect(await packFiles([only])).toEqual({ archive: only.file, leftOut: [] });
  });

  it('zips a folder, without files that belong to no skill', async () => {
    const files = [
      selected('pdf/SKILL.md', 'ä'),
      selected('pdf/.git/HEAD'),
      selected('pdf/.git/refs/main'),
      selected('pdf/scripts/node_modules/a/b.js'),
      selected('pdf/scripts/run.py'),
      ...['._SKILL.md', 'SKILL.md~', '.SKILL.md.swp', '.DS_Store', 'scripts/Thumbs.db'].map(
        (name) => selected(`pdf/${name}`),
      ),
    ];
    const { archive, leftOut } = await packFiles(files);
    const packed = unzipSync(new Uint8Array(await archive.arrayBuffer()));
    expect(Object.keys(packed)).toEqual(['pdf/SKILL.md', 'pdf/scripts/run.py']);
    expect(new TextDecoder().decode(packed['pdf/SKILL.md'])).toBe('ä');
    const why = 'system-file';
    expect(leftOut).toEqual([
      { path: 'pdf/.git/', files: 2, why: 'tool-folder' },
      { path: 'pdf/scripts/node_modules/', files: 1, why: 'tool-folder' },
      ...['._SKILL.md', 'SKILL.md~', '.SKILL.md.swp', '.DS_Store', 'scripts/Thumbs.db'].map(
        (name) => ({ path: `pdf/${name}`, files: 1, why }),
      ),
    ]);
    expect(totalBytes(files)).toBe(3);
  });

  it('zips a folder that contains a single file', async () => {
    const { archive } = await packFiles([selected('pdf/SKILL.md')]);
    expect(archive.name).toBe('pdf');
  });

  it('rejects several archives, but accepts archives inside a folder', () => {
    expect(mixesArchives([selected('a.zip'), selected('b.skill')])).toBe(true);
    expect(mixesArchives([selected('a.zip')])).toBe(false);
    expect(mixesArchives([selected('pdf/SKILL.md'), selected('pdf/assets/a.zip')])).toBe(false);
  });
});
