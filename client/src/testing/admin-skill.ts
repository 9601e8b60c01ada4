import type { AdminSkillDetail } from '@knowhow/shared/admin-skill';

/** A skill as the server describes it to admins, with some fields of one's own. */
export function adminSkill(fields: Partial<AdminSkillDetail> = {}): AdminSkillDetail {
  return {
    name: 'pdf',
    displayName: 'PDF',
    description: 'Reads PDF files.',
    source: 'local',
    location: 'local:pdf',
    writable: true,
    status: 'on',
    tags: [],
    requiresTools: [],
    diagnostics: [],
    apps: ['chat'],
    groups: ['users'],
    priority: 0,
    global: false,
    files: 2,
    bytes: 2048,
    checksum: 'c1',
    settingsChecksum: 's1',
    updatedAt: '2026-03-15T10:00:00Z',
    metadata: {},
    allowedTools: [],
    userInvocable: true,
    modelInvocable: true,
    valid: true,
    ownDisplayName: 'PDF',
    ownDescription: 'Reads PDF files.',
    overrides: {},
    listedInApps: ['chat'],
    grantedByGroups: ['users'],
    tokens: { entry: 20, body: 300 },
    fileList: [
      { path: 'SKILL.md', size: 2000, executable: false, kind: 'text' },
      { path: 'scripts/fill.py', size: 48, executable: true, kind: 'text' },
    ],
    scripts: { allowed: false, approved: false, files: ['scripts/fill.py'] },
    hides: [],
    ...fields,
  };
}
