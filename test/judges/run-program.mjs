import { spawn } from 'node:child_process';

const timeoutMs = 120_000;

/**
 * Runs a program to its end, at most two minutes, and resolves with its exit code (null after a signal), what it wrote
 * to stdout, and both outputs together. Not `spawnSync`: the sandbox answers from this process meanwhile.
 */
export function runProgram(program, words, { cwd, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      // npm is a script on Windows.
      shell: process.platform === 'win32' && program === 'npm',
    });
    let output = '';
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, output }));
  });
}

/** The same for a script that runs in Node. */
export function runScript(script, words, options) {
  return runProgram(process.execPath, [script, ...words], options);
}
