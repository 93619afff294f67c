// A bot in C++, without libraries: reads one JSON object a line, writes one a line.
// std::cerr is for notes.

#include <iostream>
#include <string>
#include <vector>

// Enough for fields that come before the view; a JSON library reads the view too.
std::string after(const std::string &line, const std::string &key) {
    const auto at = line.find(key);
    return at == std::string::npos ? "" : line.substr(at + key.size());
}

std::vector<std::string> options_of(const std::string &line) {
    std::vector<std::string> options;
    std::string rest = after(line, "\"options\":[");
    while (!rest.empty() && rest[0] == '"') {
        const auto end = rest.find('"', 1);
        options.push_back(rest.substr(1, end - 1));
        rest = rest.substr(rest[end + 1] == ',' ? end + 2 : end + 1);
    }
    return options;
}

// The number of the option to take, counted from 0.
std::size_t choose(const std::vector<std::string> &options) {
    for (std::size_t place = 0; place < options.size(); place++) {
        if (options[place].rfind("build", 0) == 0) return place;
    }
    return 0;
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        const std::string type = after(line, "\"type\":\"").substr(0, 6);
        const long long id = std::atoll(after(line, "\"id\":").c_str());
        if (type == "decide") {
            std::cout << "{\"type\":\"choice\",\"id\":" << id
                      << ",\"option\":" << choose(options_of(line)) << "}" << std::endl;
        } else if (type.rfind("bye", 0) == 0) {
            return 0;
        } else if (type != "observ") {
            std::cout << "{\"type\":\"ready\",\"id\":" << id << "}" << std::endl; // flushed
        }
    }
}
