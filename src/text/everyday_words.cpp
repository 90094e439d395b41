#include "text/vocabulary.hpp"

#include <sstream>

namespace heed::text {

const std::vector<std::string>& everyday_words() {
    static const std::vector<std::string> words = [] {
        std::istringstream list(
            "a an the this that one two three some many no not and or but because with without "
            "in on at to from of for by under over after before I you he she it we they me him "
            "her us them my your his our their is are was were am be been do does did has have "
            "had can will would who what when where why how ate eat eats drink drank bought buy "
            "buys saw see sees read reads wrote write writes sat sit sits slept sleep sleeps ran "
            "run runs chased chase chases loved love loves went go goes came come comes gave give "
            "gives apple apples book books cat cats dog dogs mouse mice mat house houses tree "
            "trees car cars child children man men woman women friend friends teacher teachers "
            "student students water tea rice bread letter letters city school river morning "
            "evening day night week year today yesterday tomorrow now here there very too big "
            "small red blue green white black old new good bad tired hungry happy beautiful Tom "
            "Jerry Mary Anna Paris . , ? ! ; : "
            "le la les un une des du de ce cette ces et ou mais parce que avec sans dans sur à "
            "au aux pour par sous après avant je tu il elle nous vous ils elles mon ton son est "
            "sont était suis être ai as avons ont ne pas mange mangé bu acheté vu lu écrit "
            "assis dort couru aime aimé allé venu donné pomme pommes livre livres chat chats "
            "chien chiens souris tapis maison maisons arbre arbres voiture enfant enfants homme "
            "femme ami amis eau thé riz pain lettre ville école rivière matin soir jour nuit "
            "hier demain maintenant ici grand grande petit petite rouge bleu bleue vert blanc "
            "noir vieux nouveau bon fatigué belle s'est l'homme "
            "我 你 他 她 它 我们 你们 他们 这 那 一 一个 两 三 个 本 只 杯 辆 封 很 不 没有 没 有 "
            "是 在 和 "
            "因为 了 过 着 的 吗 呢 吃 喝 买 看 看见 读 写 坐 睡 跑 追 追逐 爱 喜欢 去 来 给 会 能 "
            "苹果 书 猫 狗 老鼠 垫子 房子 树 车 孩子 男人 女人 朋友 老师 学生 水 茶 米饭 面包 信 "
            "城市 "
            "学校 河 早上 晚上 今天 昨天 明天 现在 这里 那里 大 小 红 蓝 绿 白 黑 老 新 好 累 饿 "
            "高兴 "
            "漂亮 汤姆 杰瑞 。 ， ？ ！");
        std::vector<std::string> all;
        for (std::string word; list >> word;) all.push_back(word);
        return all;
    }();
    return words;
}

} // namespace heed::text
