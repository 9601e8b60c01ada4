import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseEnvironment } from './env.ts';
import { exitCodes } from './graceful-shutdown.ts';
import { projectDirectory } from './project.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

const read = (path: string) => readFileSync(join(projectDirectory, path), 'utf8');

test('routes the proxy to the servers of Compose, with readiness checks', () => {
  const { services, volumes } = parse(read('docker-compose.yml'));
  const proxy = read('deploy/haproxy.cfg');
  const servers = [...proxy.matchAll(/^ {2}server \w+ ([\w.]+):(\d+)$/gm)];
  expect(servers.map(([, name]) => name)).toEqual(['knowhow', 'knowhow2']);
  for (const [, name = '', port] of servers) {
    expect(services[name].environment.PORT).toBe(port);
    expect(services[name].image).toBe('knowhow');
  }
  expect(services.proxy.volumes).toContain(
    './deploy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro',
  );
  for (const name of ['knowhow2', 'proxy', 'postgres']) {
    expect(services[name].profiles).toContain('cluster');
  }
  const { CONTENTS_DIR, DATA_DIR } = services.knowhow2.environment;
  expect(CONTENTS_DIR.startsWith(DATA_DIR)).toBe(true);
  expect(Object.keys(volumes)).toContain('data2');
  // The server rejects requests without a Host header.
  expect(proxy).toMatch(/http-check send .*uri \/api\/ready .*hdr Host \w+/);
});

describe('the manifests for Kubernetes', () => {
  const folder = join(projectDirectory, 'deploy/kubernetes');
  const { resources, configMapGenerator, images } = parse(
    read('deploy/kubernetes/kustomization.yaml'),
  );
  const manifests = Object.fromEntries(
    (resources as string[]).map((path) => [path, parse(read(`deploy/kubernetes/${path}`))]),
  );
  const deployment = manifests['deployment.yaml'];
  const pod = deployment.spec.template.spec;
  const [server] = pod.containers;
  const job = manifests['push-job.yaml'].spec.template.spec;

  test('are all listed, and match the schemas of Kubernetes', async () => {
    expect([...resources, 'kustomization.yaml'].sort()).toEqual(readdirSync(folder).sort());
    expect(await typeErrors(manifests)).toBe('');
  }, 30_000);

  test('fail the schemas with an unknown field or a wrong type', async () => {
    const misspelt = structuredClone(deployment);
    misspelt.spec.template.spec.containers[0].readynessProbe = {};
    misspelt.spec.replicas = 'three';
    const errors = await typeErrors({ 'deployment.yaml': misspelt });
    expect(errors).toContain('readynessProbe');
    expect(errors).toContain("'string' is not assignable to type 'number'");
  }, 30_000);

  test('select the servers and route the ingress to them', () => {
    const labels = deployment.spec.template.metadata.labels;
    const service = manifests['service.yaml'];
    const [rule] = manifests['ingress.yaml'].spec.rules;
    const { backend } = rule.http.paths[0];
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    expect(manifests['disruption-budget.yaml'].spec.selector.matchLabels).toEqual(labels);
    for (const { labelSelector } of pod.topologySpreadConstraints) {
      expect(labelSelector.matchLabels).toEqual(labels);
    }
    expect(backend.service).toEqual({ name: service.metadata.name, port: { name: 'http' } });
    expect(service.spec.ports[0].targetPort).toBe('http');
    expect(manifests['push-job.yaml'].spec.template.metadata.labels).not.toEqual(labels);
  });

  test('allow a first start of twenty minutes, and stop a server after draining traffic', () => {
    const { startupProbe, readinessProbe, livenessProbe, lifecycle } = server;
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBe(1200);
    expect(readinessProbe.httpGet.path).toBe('/api/ready');
    expect(livenessProbe.httpGet.path).toBe('/api/health');
    expect(lifecycle.preStop.exec.command).toEqual(['sleep', '5']);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(5 + 10);
  });

  test.each([
    ['server', pod],
    ['push job', job],
  ])('run the %s under the restricted Pod Security Standard', (_, spec) => {
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(spec.automountServiceAccountToken).toBe(false);
    const [{ securityContext, volumeMounts }] = spec.containers;
    expect(securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    // The root file system is read-only, so these must be writable.
    expect(volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual([
      '/app/data',
      '/tmp',
    ]);
  });

  test('configure the server with valid settings and an image from a registry', () => {
    const settings = configMapGenerator[0].literals.map((line: string) => line.split('='));
    const environment = parseEnvironment({
      ...Object.fromEntries(settings),
      DATABASE_URL: 'postgresql://db.example.org/knowhow',
    });
    expect(environment.telemetry.metrics?.port).toBe(
      server.ports.find(({ name }: { name: string }) => name === 'metrics').containerPort,
    );
    expect(environment.contentsDirectory.startsWith('/app/data/')).toBe(true);
    expect(read('Dockerfile')).toContain('DATA_DIR=/app/data');
    expect(images).toEqual([
      { name: server.image, newName: expect.stringContaining('/'), newTag: expect.any(String) },
    ]);
    expect(job.containers[0].command).toEqual([
      'knowhow',
      'push',
      '/app/contents',
      '--yes',
      '--if-empty',
    ]);
  });

  test('can be applied again with another image, since the finished job is deleted', () => {
    expect(manifests['push-job.yaml'].spec.ttlSecondsAfterFinished).toBeLessThanOrEqual(300);
  });
});

test('limits memory, log size and privileges of the Compose containers', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true });
  for (const [name, service] of Object.entries<Record<string, never>>(services)) {
    expect([name, service.logging]).toEqual([
      name,
      { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
    ]);
    expect([name, service.mem_limit]).toEqual([name, expect.stringMatching(/^\d+[gm]$/)]);
    expect([name, service.security_opt]).toEqual([
      name,
      expect.arrayContaining(['no-new-privileges:true']),
    ]);
  }
  for (const name of ['knowhow', 'knowhow2']) {
    expect(services[name].cap_drop).toEqual(['ALL']);
    expect(services[name].build).toBe('.');
  }
});

test('starts the bundle with systemd, and does not retry a rejected start', () => {
  const unit = read('deploy/knowhow.service');
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node .*server\/dist\/main\.js$/m);
  expect(unit).toContain(`RestartPreventExitStatus=${exitCodes.refused}`);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(10);
});

const kinds: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  Ingress: 'networking/v1',
  Job: 'batch/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'core/v1',
};

/** Type errors of manifests against types generated from the OpenAPI schemas of Kubernetes. */
async function typeErrors(manifests: Record<string, { kind: string }>): Promise<string> {
  const folder = await temporaryFolder();
  const lines = Object.values(manifests).map((manifest, at) => {
    const types = join(
      projectDirectory,
      'node_modules/kubernetes-types',
      kinds[manifest.kind] ?? '',
    );
    return [
      `import type { ${manifest.kind} as Kind${at} } from '${types}.d.ts';`,
      `export const manifest${at}: Kind${at} = ${JSON.stringify(manifest)};`,
    ].join('\n');
  });
  await writeFiles(folder, {
    'manifests.ts': lines.join('\n'),
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, types: [], skipLibCheck: true },
      files: ['manifests.ts'],
    }),
  });
  const compiler = join(projectDirectory, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' }).stdout;
}
