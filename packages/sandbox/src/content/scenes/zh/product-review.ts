import type { Scene } from '../../generator/scene.ts';

/** A team decides whether something new goes out. */
export const productReview: Scene = {
  title: '{feature}上线评审',
  templateName: 'project-sync',
  keywords: ['上线评审', '{feature}', '内测', '帮助文档', '分步开放'],
  people: { lead: 'woman', dev: 'man', research: 'woman', support: 'man' },
  slots: {
    feature: [
      {
        name: '发票拍照识别',
        fault: '小票太长的时候，最后一行识别不到',
        cause: '是图片裁得太早了，上周五已经改好，之后没有再收到反馈。',
        open: '在旧手机上，识别一张要等十几秒',
        fix: '先在手机上压缩图片再上传',
        ask: '手写的收据能不能识别',
      },
      {
        name: '共享文件夹',
        fault: '访客看不到子文件夹',
        cause: '是权限只给到了第一层，上周五已经改好，之后没有再收到反馈。',
        open: '文件超过一千个的时候，打开要等七八秒',
        fix: '打开时分批加载文件列表',
        ask: '共享能不能设置有效期',
      },
      {
        name: '免登录预约',
        fault: '确认邮件被当成垃圾邮件',
        cause: '是发件域名少配了一条记录，上周五已经补上，之后没有再收到反馈。',
        open: '两个人同时预约的时候，后一个人要等六秒才知道没约上',
        fix: '点击的时候就先锁定时段',
        ask: '能不能打电话取消',
      },
    ],
    beta: [
      { users: '180', kept: '162', share: '90%', reports: '23', same: '17' },
      { users: '240', kept: '204', share: '85%', reports: '31', same: '22' },
      { users: '125', kept: '115', share: '92%', reports: '14', same: '9' },
    ],
    limit: ['1%', '2%'],
  },
  weeks: [
    { start: 9, done: 11 },
    { start: 8, done: 10 },
    { start: 10, done: 12 },
  ],
  chapters: [
    {
      name: '内测结果',
      lines: [
        'lead: 人都到齐了，我们开始吧。今天我想定下来：{feature}下周到底上不上线。{research.first}，内测情况怎么样？',
        'research: 比我预想的好。一共有{beta.users}家客户参加，其中{beta.kept}家想继续用，占{beta.share}。收到{beta.reports}条反馈，有{beta.same}条说的其实是同一个问题，就是{feature.fault}。',
        'dev: 这个我们知道。{feature.cause}',
        'lead: 那剩下的呢？',
        'research: 都是小问题，还有一些咨询。问得最多的是{feature.ask}。',
      ],
    },
    {
      name: '还没解决的问题',
      lines: [
        'lead: {dev.first}，还有什么让你不放心的吗？',
        'dev: 有一个。{feature.open}。内测的时候人少，不明显，全部开放以后肯定会有人投诉。',
        'support: 那周一早上的第一个电话，肯定是打给我的。',
        'dev: 我的想法是{feature.fix}。两天能做完，最好赶在上线之前。',
        'lead: 那就先做这个，别的都可以往后放。',
      ],
    },
    {
      name: '上线安排',
      lines: [
        'research: 我建议还是分两步：下{start}先开放给百分之十的客户，如果错误率不超过{limit}，下{done}全部开放。',
        'lead: 同意。数据谁来盯？',
        'research: 我来，每天早上九点看一次。一旦超了就马上停，不用再开会讨论。',
        'support: 我这边还需要一篇帮助文档，不然同样的问题要解释一百遍。我今天写，{dev.first}，你明天能帮我看一下吗？',
        'dev: 没问题，明天下班前给你意见。',
        'lead: 好，那就这么定了。销售那边我今天去说。',
      ],
    },
  ],
  summary: [
    '**{feature}下{start}开放给百分之十的客户，下{done}全部开放**，前提是错误率不超过{limit}。',
    '内测有{beta.users}家客户参加，{beta.kept}家想继续用（{beta.share}）。{beta.reports}条反馈中有{beta.same}条是同一个问题，上周五已经修复。',
    '还没解决的是速度问题，{dev}会在上线前处理，办法是{feature.fix}。',
  ],
  decisions: [
    '分两步上线：下{start}开放百分之十，下{done}全部开放',
    '错误率超过{limit}就马上暂停',
    '上线前先解决速度问题',
  ],
  tasks: [
    { text: '上线前完成优化：{feature.fix}', owner: 'dev', due: 'start', chapter: 1 },
    { text: '上线后每天早上九点查看错误率', owner: 'research', due: 'start', chapter: 2 },
    { text: '写好帮助文档，请{dev}审阅', owner: 'support', due: 0, chapter: 2 },
    { text: '把上线安排告诉销售部门', owner: 'lead', due: 0, chapter: 2 },
  ],
};
