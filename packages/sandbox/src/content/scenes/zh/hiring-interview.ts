import type { Scene } from '../../generator/scene.ts';

/** A first interview, with questions in both directions. */
export const hiringInterview: Scene = {
  title: '面试：{job}',
  templateName: 'hr-interview',
  keywords: ['面试', '{job}', '{job.team}', '离职交接', '薪资'],
  people: { lead: 'woman', peer: 'man', candidate: 'woman' },
  slots: {
    job: [
      { name: '后端工程师', team: '支付组', work: '给客户开发票的系统', first: '退款这一块' },
      { name: '数据工程师', team: '数据组', work: '四十家门店的库存数据', first: '每天夜里的数据同步' },
      { name: '测试工程师', team: '质量组', work: '两款手机应用的测试', first: '自动化测试' },
    ],
    employer: ['华岭物流', '青禾食品', '远山书店'],
    tenure: ['三年', '四年', '六年'],
    lost: ['三百多', '五百多', '一千二百'],
    incident: [
      {
        story:
          '有一次，我们把同一张发票给{lost}个客户发了两遍。我先把发送停掉，跟财务一起写了道歉信，然后才去查原因。',
        lesson: '我会从一开始就给每条消息一个唯一的编号，重复的自动丢掉。后来我们就是这么改的。',
        short: '同一张发票给{lost}个客户发了两遍',
      },
      {
        story:
          '有一天夜里，清理程序误删了{lost}个正常的订单，原因是时区弄错了。我先停掉程序，从备份恢复了数据，第二天早上自己给大客户打了电话。',
        lesson: '删除之前应该先统计数量，数字不对就停下来。后来我们就加了这个检查。',
        short: '清理程序误删了{lost}个订单',
      },
    ],
    notice: [
      { name: '一个月', start: '下个月' },
      { name: '两个星期', start: '半个月以后' },
      { name: '六个星期', start: '大约一个半月以后' },
    ],
    salary: ['每月两万二', '每月两万六', '每月三万'],
    office: ['两天', '三天'],
  },
  weeks: [{ answer: 5 }, { answer: 3 }, { answer: 2 }],
  chapters: [
    {
      name: '工作经历',
      lines: [
        'lead: 欢迎你来。我是{job.team}的负责人，这位是{peer.first}，以后会跟你一起工作。先请你说说，现在在做什么？',
        'candidate: 好的。我在{employer}工作{tenure}了，一开始做客服，后来转到技术部门，现在负责{job.work}。',
        'peer: 你们团队有多少人？',
        'candidate: 五个人，还有一位设计师，是跟另外两个团队共用的。',
        'lead: 那为什么想换工作呢？',
        'candidate: 其实我对现在的公司没什么不满。只是这两年一直在维护同一套东西，我想从头做一个新的。',
      ],
    },
    {
      name: '一次事故',
      lines: [
        'peer: 能不能讲一次出问题的经历，你当时是怎么处理的？',
        'candidate: {incident.story}',
        'peer: 如果现在再遇到，你会怎么做？',
        'candidate: {incident.lesson}',
        'peer: 这一点我很欣赏。你先想到的是客户，而不是找谁的责任。',
      ],
    },
    {
      name: '岗位和下一步',
      lines: [
        'candidate: 我想问一下，头三个月主要做什么？',
        'lead: 第一个月你跟着{peer.first}一起做，之后由你负责{job.first}。每周在公司{office}，其余时间可以在家办公。',
        'candidate: 这样很适合我。我离职需要提前{notice}通知，所以{notice.start}可以入职。',
        'lead: 薪资方面，你的期望是多少？',
        'candidate: {salary}左右，如果其他方面都合适，可以再谈。',
        'lead: 在我们的范围之内。{answer}之前，不管结果怎么样，我都会给你答复。',
        'peer: 我今天晚上把小练习发给你，最多花两个小时就行。',
        'candidate: 好的，谢谢两位。',
        'lead: {peer.first}，你的印象今天能写下来吗？',
        'peer: 可以，午饭后就写。',
      ],
    },
  ],
  summary: [
    '{candidate}在{employer}工作了{tenure}，现在负责{job.work}，希望从头做一个新的项目。',
    '她坦率地讲了一次事故（{incident.short}），也说明了后来怎样避免再次发生。',
    '期望薪资{salary}左右，在范围之内，{notice.start}可以入职。**{answer}之前给她答复。**',
  ],
  decisions: ['期望薪资（{salary}左右）在范围之内', '{answer}之前给{candidate}答复，不管结果怎样'],
  tasks: [
    { text: '给{candidate}答复', owner: 'lead', due: 'answer', chapter: 2 },
    { text: '把小练习发给{candidate}', owner: 'peer', due: 0, chapter: 2 },
    { text: '写下面试印象', owner: 'peer', due: 0, chapter: 2 },
  ],
};
