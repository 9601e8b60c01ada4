import {
  admins,
  archive,
  at,
  draftToSubmit,
  forAdmins,
  ofReview,
  ofReviewComment,
} from './access-row.ts';

const triggerRun = { prompts: [{ text: 'Spare one.', expect: true }], models: ['spare'] };

/** Admin endpoints for skills. */
export const adminSkillRows = {
  adminSkills: {
    list: forAdmins('skills'),
    facets: forAdmins('skill-facets?field=tag'),
    create: forAdmins('skills', { name: 'fresh', description: 'Is new.', body: 'Do it.' }),
    checkName: forAdmins('skills/check-name?name=fresh'),
    get: forAdmins('skills/spare'),
    update: forAdmins('skills/spare', { priority: 1 }),
    duplicate: forAdmins('skills/spare/duplicate', { name: 'spare-2' }),
    fix: forAdmins('skills/untidy/fix', { code: 'description-missing' }),
    editFields: forAdmins('skills/spare/fields', { tags: 'one' }),
    export: forAdmins('skills/spare/export'),
    exportMany: forAdmins('export/skills?names=spare'),
    access: forAdmins('skills/spare/access'),
    remove: forAdmins('skills/spare-2'),
  },
  adminSkillFiles: {
    file: forAdmins('skills/spare/files/one.md'),
    writeFile: at(admins, '/api/admin/skills/spare/files/two.md', { body: 'Two.' }),
    moveFile: forAdmins('skills/spare/move', { from: 'two.md', to: 'three.md' }),
    removeFile: forAdmins('skills/spare/files/three.md'),
  },
  skillArchives: {
    validate: at(admins, '/api/admin/skills/validate', archive('one')),
    upload: at(admins, '/api/admin/skills/upload', archive('one')),
    import: at(admins, '/api/admin/skills/import', archive('two')),
  },
  skillAddress: {
    read: forAdmins('skills/address', { address: 'https://127.0.0.1/none' }),
  },
  skillSources: {
    list: forAdmins('skill-sources'),
    create: forAdmins('skill-sources', { id: 'spare', url: 'https://127.0.0.1/none' }),
    get: forAdmins('skill-sources/spare'),
    update: forAdmins('skill-sources/spare', { schedule: 'daily' }),
    proposal: forAdmins('skill-sources/spare/proposal'),
    files: at(
      [401, 403, 403, 404],
      '/api/admin/skill-sources/none/proposal/files?key=added:one:one',
    ),
    sync: at([401, 403, 403, 404], '/api/admin/skill-sources/none/sync'),
    apply: at([401, 403, 403, 404], '/api/admin/skill-sources/none/proposal/apply', {
      json: { take: ['added:one:one'] },
    }),
    remove: forAdmins('skill-sources/spare'),
  },
  skillUpstreams: {
    ofSkill: forAdmins('skills/spare/upstreams'),
    ofSource: forAdmins('skill-sources/spare/skills'),
    detach: at([401, 403, 403, 404], '/api/admin/skill-sources/none/skills/one/detach', {
      json: {},
    }),
    follow: at([401, 403, 403, 404], '/api/admin/skill-sources/none/skills/one/follow', {
      json: {},
    }),
    propose: at([401, 403, 403, 404], '/api/admin/skill-sources/none/skills/one/propose', {
      json: { message: 'One.' },
    }),
  },
  skillSourceHooks: {
    receive: at([404, 404, 404, 404], '/api/hooks/skill-sources/none', { body: '{}' }),
  },
  skillToolSettings: {
    get: forAdmins('skills/spare/tool-settings'),
    put: forAdmins('skills/spare/tool-settings', { hosts: [] }),
  },
  skillVersions: {
    list: at(admins, '/api/skill-versions/spare'),
    get: at(admins, '/api/skill-versions/spare/1'),
    file: at(admins, '/api/skill-versions/spare/1/files/SKILL.md'),
    diff: at(admins, '/api/skill-versions/spare/1/diff'),
    restore: at(admins, '/api/skill-versions/spare/1/restore'),
    preview: at(admins, '/api/skill-versions/spare/1/preview', { json: { groups: [] } }),
  },
  skillDrafts: {
    list: at(admins, '/api/skill-drafts'),
    put: at(admins, '/api/skill-drafts/drafted', archive('drafted')),
    writeFile: at(admins, '/api/skill-drafts/drafted/files/two.md', { body: 'Two.' }),
    moveFile: at(admins, '/api/skill-drafts/drafted/move', {
      json: { from: 'two.md', to: 'three.md' },
    }),
    file: at(admins, '/api/skill-drafts/drafted/files/three.md'),
    removeFile: at(admins, '/api/skill-drafts/drafted/files/three.md'),
    get: at(admins, '/api/skill-drafts/drafted'),
    diff: at(admins, '/api/skill-drafts/drafted/diff'),
    rebase: at(admins, '/api/skill-drafts/drafted/rebase', { json: {} }),
    replay: at(admins, '/api/skill-drafts/drafted/replay', {
      json: { message: 'Draft one.', model: 'spare' },
    }),
    remove: at(admins, '/api/skill-drafts/drafted'),
    submit: draftToSubmit,
  },
  draftTests: {
    plan: at([401, 403, 403, 404], '/api/skill-drafts/none/trigger-tests'),
    run: at([401, 403, 403, 404], '/api/skill-drafts/none/trigger-tests', {
      json: { models: ['spare'] },
    }),
  },
  skillReviews: {
    list: at(admins, '/api/skill-reviews'),
    get: ofReview(''),
    approve: ofReview('/approve', {}),
    return: ofReview('/return', { comment: 'Too short.' }),
    withdraw: ofReview('/withdraw', {}),
    comments: ofReview('/comments'),
    comment: ofReview('/comments', { text: 'Why?' }),
    removeComment: ofReviewComment,
  },
  skillHistory: {
    history: forAdmins('skills/spare/history'),
    restore: at(admins, '/api/admin/skills/spare/history/1/restore'),
  },
  skillBin: {
    list: forAdmins('skills/-/bin'),
    restore: forAdmins('skills/-/bin/restore', { names: ['none'] }),
    remove: forAdmins('skills/-/bin/delete', { skills: [{ name: 'none', number: 1 }] }),
    empty: forAdmins('skills/-/bin/empty', { until: '2000-01-01T00:00:00Z' }),
  },
  skillBlocks: {
    put: forAdmins('skills/untidy/block', { reason: 'Untidy.' }),
    get: forAdmins('skills/untidy/block'),
    remove: forAdmins('skills/untidy/block'),
  },
  skillFolderEdits: {
    get: forAdmins('skills/untidy/folder-edit'),
    remove: at([401, 403, 403, 404], '/api/admin/skills/untidy/folder-edit'),
  },
  skillOwners: {
    choices: forAdmins('owner-choices?query=a'),
    put: forAdmins('skills/spare/owner', { owner: { kind: 'group', id: 'staff' } }),
    get: forAdmins('skills/spare/owner'),
  },
  triggerTests: {
    prompts: forAdmins('skills/spare/trigger-prompts'),
    savePrompts: forAdmins('skills/spare/trigger-prompts', { prompts: [] }),
    run: forAdmins('skills/spare/trigger-tests', triggerRun),
    runs: forAdmins('skills/spare/trigger-tests'),
    get: at([401, 403, 403, 404], '/api/admin/skills/spare/trigger-tests/none'),
  },
  triggerSchedule: { state: forAdmins('trigger-schedule') },
  skillBulk: {
    change: forAdmins('skills/bulk', { action: 'switch', names: ['spare'], enabled: false }),
    reach: forAdmins('skills/bulk/reach', { names: ['spare'] }),
    previewUndo: at([401, 403, 403, 404], '/api/admin/skills/bulk/undo/none'),
    undo: at([401, 403, 403, 404], '/api/admin/skills/bulk/undo/none'),
  },
};
